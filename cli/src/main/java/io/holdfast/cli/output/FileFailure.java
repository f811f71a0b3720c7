package io.holdfast.cli.output;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** The reasons why a file cannot be read or written, in plain words. */
public final class FileFailure {

    private FileFailure() {}

    /** Returns the reason, as the end of a sentence that names the file. */
    public static String reason(IOException failure) {
        if (failure instanceof NoSuchFileException) {
            return "it does not exist";
        } else if (failure instanceof AccessDeniedException) {
            return "permission denied";
        } else if (failure instanceof NotDirectoryException) {
            return "it is not a directory";
        } else if (failure instanceof FileAlreadyExistsException) {
            return "it exists already";
        } else if (failure instanceof CharacterCodingException) {
            return "it is not text in UTF-8";
        } else if (failure instanceof FileSystemException system && system.getReason() != null) {
            return system.getReason();
        }
        return String.valueOf(failure.getMessage());
    }

    /** Returns the reason why a file cannot be made, as the end of a sentence that names it. */
    public static String reasonToCreate(IOException failure) {
        return failure instanceof NoSuchFileException ? "its directory does not exist" : reason(failure);
    }
}
