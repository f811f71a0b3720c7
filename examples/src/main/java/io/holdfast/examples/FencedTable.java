package io.holdfast.examples;

import io.holdfast.lease.FencingToken;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Accounts in a SQL table that rejects writes of former holders. Works with every database that has a JDBC driver. */
public final class FencedTable {

    private final Connection database;

    public FencedTable(Connection database) {
        this.database = database;
    }

    /** Creates the table, with a column for the greatest token seen. */
    public void create() throws SQLException {
        execute("CREATE TABLE account (id VARCHAR(40) PRIMARY KEY, balance BIGINT NOT NULL, fence BIGINT NOT NULL)");
    }

    public void open(String id) throws SQLException {
        try (PreparedStatement insert = database.prepareStatement("INSERT INTO account VALUES (?, 0, 0)")) {
            insert.setString(1, id);
            insert.executeUpdate();
        }
    }

    public long balance(String id) throws SQLException {
        try (PreparedStatement query = database.prepareStatement("SELECT balance FROM account WHERE id = ?")) {
            query.setString(1, id);
            try (ResultSet row = query.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    /**
     * Sets the balance. The check and the write are one statement, so no other write can happen between them.
     *
     * @throws StaleTokenException if the row was written with a greater token
     */
    public void setBalance(String id, long balance, FencingToken token) throws SQLException {
        String sql = "UPDATE account SET balance = ?, fence = ? WHERE id = ? AND fence <= ?";
        try (PreparedStatement update = database.prepareStatement(sql)) {
            update.setLong(1, balance);
            update.setLong(2, token.value());
            update.setString(3, id);
            update.setLong(4, token.value());
            if (update.executeUpdate() == 0) {
                throw new StaleTokenException(id, token);
            }
        }
    }

    private void execute(String sql) throws SQLException {
        try (PreparedStatement statement = database.prepareStatement(sql)) {
            statement.execute();
        }
    }
}
