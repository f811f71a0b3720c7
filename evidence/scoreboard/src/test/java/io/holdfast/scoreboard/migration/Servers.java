package io.holdfast.scoreboard.migration;

import io.holdfast.Holdfast;
import io.holdfast.servers.PatientOptions;
import io.holdfast.servers.RedisServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import org.h2.jdbcx.JdbcDataSource;

/** Three servers for Holdfast, and one and a database for the other libraries. */
record Servers(RedisServers redis, RedisServers older, JdbcDataSource database) implements AutoCloseable {

    private static final String TABLE = """
            CREATE TABLE shedlock (name VARCHAR(64) PRIMARY KEY, lock_until TIMESTAMP(3) NOT NULL,
                locked_at TIMESTAMP(3) NOT NULL, locked_by VARCHAR(255) NOT NULL)""";

    static Servers start() throws SQLException {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(TABLE);
        }
        RedisServers redis = RedisServers.start(3);
        Servers servers = new Servers(redis, RedisServers.start(1), database);
        servers.admit(redis.addresses());
        servers.admit(servers.grown());
        return servers;
    }

    private void admit(List<String> addresses) {
        try (Holdfast holdfast = connect(addresses)) {
            holdfast.admin().admit();
        }
    }

    Holdfast connect(List<String> addresses) {
        return Holdfast.connect(addresses, PatientOptions.CLIENT);
    }

    /** Returns three nodes, one of which is another database of the server of the other library. */
    List<String> grown() {
        return List.of(
                old() + "/1", redis.addresses().get(0) + "/1", redis.addresses().get(1) + "/1");
    }

    /** Returns the address of the server of the other library. */
    String old() {
        return older.addresses().get(0);
    }

    @Override
    public void close() {
        redis.close();
        older.close();
    }
}
