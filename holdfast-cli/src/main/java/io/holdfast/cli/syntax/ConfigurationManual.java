package io.holdfast.cli.syntax;

import java.util.List;

/** The manual page of the configuration file in roff, made from the same options as {@link Help}. */
public final class ConfigurationManual {

    private static final String BEGIN = """
            .SH NAME
            holdfast \\- configuration file of the holdfast command
            .SH SYNOPSIS
            .I ~/.config/holdfast/config
            .br
            .I /etc/holdfast/config
            .SH DESCRIPTION
            The file contains the settings of the servers that
            .BR holdfast (1)
            uses. Only one file is read: the one that the variable HOLDFAST_CONFIG names, else the
            first of the two above that exists. The first is in $XDG_CONFIG_HOME if that is set.
            .PP
            Each line is a setting, KEY=VALUE. Spaces around both, empty lines, and lines that begin
            with # have no effect. A backslash is written twice, except at the end of a line, which
            it continues on the next one. The file is text in UTF\\-8. A key that is not listed below,
            or that is given twice, is an error. Further details, such as KEY: VALUE, are those of a
            properties file of Java.
            .PP
            An option on the command line has precedence over a variable in the environment, and a
            variable over the file.
            .B holdfast config check
            prints each setting and the place from which it was taken.
            .SH KEYS
            """;

    private static final String END = """
            .SH PERMISSIONS
            A file with a password in an address must not be writable, and should not be readable, by
            other users. The same applies to the files of password\\-file and key. A file of root may be
            readable by its group, mode 0640, for jobs of several users.
            .SH EXAMPLES
            Three servers with TLS, and a password that only root can read:
            .PP
            .nf
              nodes=rediss://a:6380,rediss://b:6380,rediss://c:6380
              user=holdfast
              password\\-file=/etc/holdfast/password
              ca=/etc/holdfast/ca.pem
              cert=/etc/holdfast/client.pem
              key=/etc/holdfast/client.key
            .fi
            .SH "SEE ALSO"
            .BR holdfast (1)
            """;

    private ConfigurationManual() {}

    /**
     * Returns the manual page.
     *
     * @param options the options that the file may contain
     * @param version the name and the version of the program
     */
    public static String of(List<CommandOption> options, String version) {
        StringBuilder roff = new StringBuilder();
        roff.append(".TH HOLDFAST 5 \"\" \"").append(version).append("\"\n").append(BEGIN);
        options.forEach(option -> roff.append(".TP\n.B ")
                .append(Manual.quoted(option.key() + "=" + option.label()))
                .append('\n')
                .append(Manual.escaped(option.description()))
                .append('\n'));
        return roff.append(END).toString();
    }
}
