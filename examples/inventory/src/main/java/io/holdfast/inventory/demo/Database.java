package io.holdfast.inventory.demo;

import io.holdfast.servers.Eventually;
import io.holdfast.servers.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.h2.tools.Server;

/** The database of all shops: a PostgreSQL server in a temporary directory, or H2 where none is installed. */
public final class Database implements AutoCloseable {

    private static final Path INSTALLATIONS =
            Path.of(System.getProperty("inventory.postgresql", "/usr/lib/postgresql"));

    private final String url;
    private final Stop server;

    private Database(String url, Stop server) {
        this.url = url;
        this.server = server;
    }

    /** Starts the database in this directory, and creates the tables. */
    public static Database start(Path directory) throws IOException, SQLException {
        Optional<Path> binaries = binaries();
        Database database = binaries.isPresent() ? postgres(binaries.get(), directory) : h2();
        database.execute(
                "create table stock (sku varchar(40) primary key, pieces int not null, fence bigint not null)",
                "create table sale (id int generated always as identity primary key, sku varchar(40) not null)");
        return database;
    }

    private static Optional<Path> binaries() throws IOException {
        if (!Files.isDirectory(INSTALLATIONS)) {
            return Optional.empty();
        }
        try (Stream<Path> versions = Files.list(INSTALLATIONS)) {
            return versions.map(version -> version.resolve("bin"))
                    .filter(binaries -> Files.isExecutable(binaries.resolve("initdb")))
                    .findFirst();
        }
    }

    private static Database h2() throws SQLException {
        System.out.println("No PostgreSQL is installed in " + INSTALLATIONS + "; using H2 instead.");
        Server server = Server.createTcpServer("-tcpPort", String.valueOf(FreePorts.next()), "-ifNotExists")
                .start();
        String url = "jdbc:h2:tcp://localhost:" + server.getPort() + "/mem:shop;DB_CLOSE_DELAY=-1;USER=sa;PASSWORD=";
        return new Database(url, server::stop);
    }

    /** PostgreSQL refuses to run as root, so root starts it as the user that its package has created. */
    private static Database postgres(Path binaries, Path directory) throws IOException {
        Path data = directory.resolve("postgres");
        Files.createDirectories(data);
        boolean isRoot = System.getProperty("user.name").equals("root");
        if (isRoot) {
            run(List.of(), "chmod", "755", directory.toString());
            run(List.of(), "chown", "postgres", data.toString());
        }
        List<String> user = isRoot ? List.of("runuser", "-u", "postgres", "--") : List.of();
        String port = String.valueOf(FreePorts.next());
        run(user, binaries + "/initdb", "-D", data.toString(), "-A", "trust", "-U", "shop", "--no-sync");
        String options =
                "-p " + port + " -k " + data + " -c fsync=off -c listen_addresses=127.0.0.1 -c max_connections=200";
        run(user, binaries + "/pg_ctl", "-D", data.toString(), "-o", options, "-l", data + "/log", "-w", "start");
        return new Database(
                "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=shop",
                () -> run(user, binaries + "/pg_ctl", "-D", data.toString(), "-m", "immediate", "stop"));
    }

    private static void run(List<String> user, String... command) throws IOException {
        List<String> all = new ArrayList<>(user);
        all.addAll(List.of(command));
        Process process = new ProcessBuilder(all)
                .directory(Path.of("/").toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (Eventually.result(process.onExit()).exitValue() != 0) {
            throw new IllegalStateException(command[0] + " failed");
        }
    }

    /** Returns the address, with the user. */
    public String url() {
        return url;
    }

    /** Sets the stock of an article, and forgets its sales. */
    public void restock(String sku, int pieces) throws SQLException {
        execute(
                "delete from sale where sku = '" + sku + "'",
                "delete from stock where sku = '" + sku + "'",
                "insert into stock values ('" + sku + "', " + pieces + ", 0)");
    }

    /** Returns the number of pieces that the stock still counts. */
    public int left(String sku) throws SQLException {
        return number("select pieces from stock where sku = '" + sku + "'");
    }

    /** Returns the number of pieces that were sold. */
    public int sold(String sku) throws SQLException {
        return number("select count(*) from sale where sku = '" + sku + "'");
    }

    private int number(String query) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getInt(1);
        }
    }

    private void execute(String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        }
    }

    @Override
    public void close() throws IOException {
        server.now();
    }

    /** Stops the server. */
    @FunctionalInterface
    private interface Stop {

        void now() throws IOException;
    }
}
