package io.ratelimit.core.rules;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** From bytes to text: size, encoding, and characters that no document may hold. */
final class DocumentText {

    private static final char BYTE_ORDER_MARK = '\uFEFF';
    private static final char NEXT_LINE = '\u0085';

    private final DocumentKind kind;

    DocumentText(DocumentKind kind) {
        this.kind = kind;
    }

    /** Decodes a document; a byte order mark is left out. */
    String decode(byte[] content) throws SyntaxException {
        if (content.length > RulesParser.MOST_BYTES) {
            throw new SyntaxException(
                    0,
                    0,
                    "the document has " + content.length + " bytes; a " + kind.name() + " has at most "
                            + RulesParser.MOST_BYTES + " (4 MiB)");
        }
        refuseWideEncodings(content);
        String text = decodeUtf8(content);
        if (!text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK) {
            text = text.substring(1);
        }
        if (text.isBlank()) {
            throw kind.empty();
        }
        refuseControlCharacters(text);
        return text;
    }

    private static void refuseWideEncodings(byte[] content) throws SyntaxException {
        if (content.length < 2) {
            return;
        }
        int first = content[0] & 0xFF;
        int second = content[1] & 0xFF;
        boolean marked = (first == 0xFE && second == 0xFF) || (first == 0xFF && second == 0xFE);
        boolean everySecondByteIsZero = (first == 0) != (second == 0);
        if (marked || everySecondByteIsZero) {
            throw new SyntaxException(0, 0, "the document is in UTF-16 or UTF-32; save it in UTF-8");
        }
    }

    private static String decodeUtf8(byte[] content) throws SyntaxException {
        CharsetDecoder decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        ByteBuffer in = ByteBuffer.wrap(content);
        // UTF-8 never has fewer bytes than characters, so the buffer does not overflow.
        CharBuffer out = CharBuffer.allocate(content.length);
        CoderResult result = decoder.decode(in, out, true);
        if (result.isError()) {
            out.flip();
            String before = out.toString();
            throw new SyntaxException(
                    lineAt(before, before.length()),
                    columnAt(before, before.length()),
                    "the document is not in UTF-8: the byte 0x"
                            + String.format("%02X", content[in.position()]) + " at offset " + in.position()
                            + " fits no character; save it in UTF-8");
        }
        decoder.flush(out);
        out.flip();
        return out.toString();
    }

    private void refuseControlCharacters(String text) throws SyntaxException {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isISOControl(c) && c != '\t' && c != '\n' && c != '\r' && c != NEXT_LINE) {
                throw new SyntaxException(
                        lineAt(text, i),
                        columnAt(text, i),
                        "the control character " + String.format("U+%04X", (int) c) + " may not stand in a "
                                + kind.name() + "; remove it");
            }
        }
    }

    private static int lineAt(String text, int end) {
        int line = 1;
        for (int i = 0; i < end; i++) {
            char c = text.charAt(i);
            boolean firstOfTwo = c == '\r' && i + 1 < text.length() && text.charAt(i + 1) == '\n';
            if (c == '\n' || (c == '\r' && !firstOfTwo)) {
                line++;
            }
        }
        return line;
    }

    private static int columnAt(String text, int end) {
        int start = end;
        while (start > 0 && text.charAt(start - 1) != '\n' && text.charAt(start - 1) != '\r') {
            start--;
        }
        return text.codePointCount(start, end) + 1;
    }
}
