package io.ratelimit.core.wire;

import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parts that every message is made of. Numbers take as many bytes as they need, seven bits in each, the lowest first
 * (LEB128); those that may be negative are folded first, so that -1 is 1 and 1 is 2.
 *
 * <p>Each message starts with its form and ends with a list of additions, which a later version may lengthen: a host
 * passes over additions that it does not know. What all hosts must understand needs another form.
 */
public final class Wire {

    private static final long NO_TAG = -1;
    private static final int MOST_ELEMENTS = 10_000;
    private static final int MOST_BYTES = 1_000_000;

    /** The largest {@linkplain #readAmount amount} that is taken for one: twice as much is a long still. */
    public static final long MOST_AMOUNT = 1L << 60;

    private static final int LOW_BITS = 0x7F;
    private static final int MORE = 0x80;

    private Wire() {}

    /**
     * Checks the form that a message says it has.
     *
     * @param in the message
     * @param known the form that this version reads
     * @throws IOException if it has another
     */
    public static void readForm(DataInput in, byte known) throws IOException {
        byte form = in.readByte();
        if (form != known) {
            throw new IOException("a host sends a message in form " + form + ", this one reads form " + known
                    + ": all hosts need the same version of ratelimit");
        }
    }

    /** Something that can be written. */
    public interface Part {

        /**
         * Writes it.
         *
         * @param out the message
         * @throws IOException if it cannot be written
         */
        void writeTo(DataOutput out) throws IOException;
    }

    /**
     * Writes an element of a list.
     *
     * @param <T> the element's type
     */
    public interface ElementWriter<T> {

        /**
         * Writes one.
         *
         * @param element the element
         * @throws IOException if it cannot be written
         */
        void write(T element) throws IOException;
    }

    /**
     * Reads an element of a list.
     *
     * @param <T> the element's type
     */
    public interface ElementReader<T> {

        /**
         * Reads the next one.
         *
         * @return the element
         * @throws IOException if the message ends, or is damaged
         */
        T read() throws IOException;
    }

    /**
     * Writes something by itself.
     *
     * @param part what is written
     * @return its bytes
     */
    public static byte[] toBytes(Part part) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            part.writeTo(new DataOutputStream(bytes));
        } catch (IOException e) {
            throw new UncheckedIOException("arrays take all that is written to them", e);
        }
        return bytes.toByteArray();
    }

    /**
     * Writes elements, and how many they are.
     *
     * @param <T> their type
     * @param out the message
     * @param elements the elements
     * @param each writes one of them
     * @throws IOException if they cannot be written
     */
    public static <T> void writeAll(DataOutput out, List<T> elements, ElementWriter<T> each) throws IOException {
        writeUnsigned(out, elements.size());
        for (T element : elements) {
            each.write(element);
        }
    }

    /**
     * Reads elements.
     *
     * @param <T> their type
     * @param in the message
     * @param each reads the next of them
     * @return the elements
     * @throws IOException if the message ends, or claims more than any has
     */
    public static <T> List<T> readAll(DataInput in, ElementReader<T> each) throws IOException {
        int count = readCount(in);
        List<T> elements = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            elements.add(each.read());
        }
        return elements;
    }

    /**
     * Ends a message without additions.
     *
     * @param out the message
     * @throws IOException if it cannot be written
     */
    public static void writeNoAdditions(DataOutput out) throws IOException {
        writeUnsigned(out, 0);
    }

    /**
     * Ends a message with one addition.
     *
     * @param out the message
     * @param tag tells it from others, at least 0
     * @param content the addition
     * @throws IOException if it cannot be written
     */
    public static void writeAddition(DataOutput out, long tag, byte[] content) throws IOException {
        writeUnsigned(out, 1);
        writeUnsigned(out, tag);
        writeBytes(out, content);
    }

    /**
     * Passes over additions of a later version.
     *
     * @param in the message
     * @throws IOException if the message ends, or is damaged
     */
    public static void skipAdditions(DataInput in) throws IOException {
        readAddition(in, NO_TAG);
    }

    /**
     * Reads one addition and passes over the others.
     *
     * @param in the message
     * @param tag the addition's
     * @return its content; null if the message has none with this tag
     * @throws IOException if the message ends, or is damaged
     */
    public static byte @Nullable [] readAddition(DataInput in, long tag) throws IOException {
        byte[] found = null;
        int count = readCount(in);
        for (int i = 0; i < count; i++) {
            boolean sought = readUnsigned(in) == tag;
            byte[] content = readBytes(in);
            found = sought ? content : found;
        }
        return found;
    }

    /**
     * Writes a number.
     *
     * @param out the message
     * @param value the number; a negative one takes ten bytes
     * @throws IOException if it cannot be written
     */
    public static void writeUnsigned(DataOutput out, long value) throws IOException {
        long left = value;
        while ((left & ~LOW_BITS) != 0) {
            out.writeByte((int) (left & LOW_BITS) | MORE);
            left >>>= 7;
        }
        out.writeByte((int) left);
    }

    /**
     * Reads a number.
     *
     * @param in the message
     * @return the number
     * @throws IOException if the message ends, or is damaged
     */
    public static long readUnsigned(DataInput in) throws IOException {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            byte next = in.readByte();
            value |= (long) (next & LOW_BITS) << shift;
            if ((next & MORE) == 0) {
                return value;
            }
        }
        throw damaged("a number that does not end");
    }

    /**
     * Writes a number that may be negative.
     *
     * @param out the message
     * @param value the number
     * @throws IOException if it cannot be written
     */
    public static void writeSigned(DataOutput out, long value) throws IOException {
        writeUnsigned(out, (value << 1) ^ (value >> 63));
    }

    /**
     * Reads a number that may be negative.
     *
     * @param in the message
     * @return the number
     * @throws IOException if the message ends, or is damaged
     */
    public static long readSigned(DataInput in) throws IOException {
        long folded = readUnsigned(in);
        return (folded >>> 1) ^ -(folded & 1);
    }

    /**
     * Reads how many elements follow.
     *
     * @param in the message
     * @return the number
     * @throws IOException if the message ends, or claims more than any has
     */
    public static int readCount(DataInput in) throws IOException {
        return readUpTo(in, MOST_ELEMENTS, "elements");
    }

    /**
     * Writes bytes, and how many they are.
     *
     * @param out the message
     * @param bytes the bytes
     * @throws IOException if they cannot be written
     */
    public static void writeBytes(DataOutput out, byte[] bytes) throws IOException {
        writeUnsigned(out, bytes.length);
        out.write(bytes);
    }

    /**
     * Reads bytes.
     *
     * @param in the message
     * @return the bytes
     * @throws IOException if the message ends, or claims more than any has
     */
    public static byte[] readBytes(DataInput in) throws IOException {
        byte[] bytes = new byte[readUpTo(in, MOST_BYTES, "bytes")];
        in.readFully(bytes);
        return bytes;
    }

    /**
     * Writes a text.
     *
     * @param out the message
     * @param text the text
     * @throws IOException if it cannot be written
     */
    public static void writeText(DataOutput out, String text) throws IOException {
        writeBytes(out, text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Reads a text.
     *
     * @param in the message
     * @return the text
     * @throws IOException if the message ends, or claims more than any has
     */
    public static String readText(DataInput in) throws IOException {
        return new String(readBytes(in), StandardCharsets.UTF_8);
    }

    /**
     * Writes words for each limit: states that have departed from their clock, or receipts.
     *
     * @param out the message
     * @param states an array of words for each limit
     * @throws IOException if they cannot be written
     */
    public static void writeStates(DataOutput out, long[][] states) throws IOException {
        writeUnsigned(out, states.length);
        for (long[] state : states) {
            writeWords(out, state);
        }
    }

    /**
     * Writes words, and how many they are.
     *
     * @param out the message
     * @param words the words
     * @throws IOException if they cannot be written
     */
    public static void writeWords(DataOutput out, long[] words) throws IOException {
        writeUnsigned(out, words.length);
        for (long word : words) {
            writeSigned(out, word);
        }
    }

    /**
     * Reads words for each limit.
     *
     * @param in the message
     * @return the words
     * @throws IOException if the message ends, or claims more than any has
     */
    public static long[][] readStates(DataInput in) throws IOException {
        long[][] states = new long[readCount(in)][];
        for (int i = 0; i < states.length; i++) {
            states[i] = readWords(in);
        }
        return states;
    }

    /**
     * Reads words.
     *
     * @param in the message
     * @return the words
     * @throws IOException if the message ends, or claims more than any has
     */
    public static long[] readWords(DataInput in) throws IOException {
        long[] words = new long[readCount(in)];
        for (int i = 0; i < words.length; i++) {
            words[i] = readSigned(in);
        }
        return words;
    }

    /**
     * Reads an amount, of tokens or nanoseconds, or a number that counts up.
     *
     * @param in the message
     * @return the amount, 0 to 2<sup>60</sup>, so that a few can be added up
     * @throws IOException if the message ends, or claims another amount
     */
    public static long readAmount(DataInput in) throws IOException {
        long amount = readUnsigned(in);
        if (amount < 0 || amount > MOST_AMOUNT) {
            throw damaged("an amount of " + amount);
        }
        return amount;
    }

    private static int readUpTo(DataInput in, int most, String what) throws IOException {
        long count = readUnsigned(in);
        if (count < 0 || count > most) {
            throw damaged(count + " " + what);
        }
        return (int) count;
    }

    private static IOException damaged(String claim) {
        return new IOException("a message of another host is damaged: it claims " + claim);
    }
}
