package io.ratelimit.rules;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Rules as their source gave them, not yet read. Compared by identity.
 */
public final class RulesDocument {

    private final String location;
    private final byte[] content;
    private final String tag;
    private final long version;
    private final @Nullable String versionName;

    /**
     * Makes a document.
     *
     * @param location where it comes from, for messages: a file's path or a URL without credentials
     * @param content the YAML or JSON text in UTF-8; handed over, not copied
     * @param tag what the source recognises this content by, such as an ETag
     * @param version orders the documents of one source: the greater is newer (see {@link RuleSet#version()})
     */
    public RulesDocument(String location, byte[] content, String tag, long version) {
        this(location, content, tag, version, null);
    }

    /**
     * Makes a document of a source that names its versions.
     *
     * @param location where it comes from, for messages: a file's path or a URL without credentials
     * @param content the YAML or JSON text in UTF-8; handed over, not copied
     * @param tag what the source recognises this content by, such as an ETag
     * @param version orders the documents of one source: the greater is newer (see {@link RuleSet#version()})
     * @param versionName what people call this version, such as {@code 17}, or null where it has no name
     */
    public RulesDocument(String location, byte[] content, String tag, long version, @Nullable String versionName) {
        this.location = Objects.requireNonNull(location, "location");
        this.content = Objects.requireNonNull(content, "content");
        this.tag = Objects.requireNonNull(tag, "tag");
        this.version = version;
        this.versionName = versionName;
    }

    /**
     * Where the document comes from.
     *
     * @return a text for messages
     */
    public String location() {
        return location;
    }

    /**
     * The document's bytes.
     *
     * @return the bytes, not a copy; they must not be changed
     */
    public byte[] content() {
        return content;
    }

    /**
     * What the source recognises this content by.
     *
     * @return the tag
     */
    public String tag() {
        return tag;
    }

    /**
     * The document's place among those of its source.
     *
     * @return the version
     */
    public long version() {
        return version;
    }

    /**
     * What people call this version.
     *
     * @return a name for operators, such as {@code 17}; null where the source gives none
     */
    public @Nullable String versionName() {
        return versionName;
    }
}
