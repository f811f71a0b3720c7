package io.holdfast.redis.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerErrorsTest {

    /** Messages of Redis 6.2 and 7.0. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "WRONGTYPE Operation against a key holding the wrong kind of value script: 1f, on "
                        + "@user_script:9.|another one",
                "ERR Error running script (call to f_1f): @user_script:9: WRONGTYPE Operation against a key|another "
                        + "one",
                "OOM command not allowed when used memory > 'maxmemory'.|maxmemory-policy",
                "NOAUTH HELLO must be called with the client already authenticated|add user and password to its "
                        + "address, or give",
                "WRONGPASS invalid username-password pair or user is disabled.|within an address, special characters",
                "NOPERM this user has no permissions to run the 'evalsha' command|grant it +evalsha",
                "NOPERM this user has no permissions to access one of the keys used as arguments|grant it ~holdfast:*",
                "NOPERM No permissions to access a key|grant it ~holdfast:*",
                "NOPERM this user has no permissions to access one of the channels used as arguments|&holdfast:inbox:*",
                "ERR The user executing the script can't run this command or subcommand script: 1f, on "
                        + "@user_script:1.|+hset",
                "ERR The user executing the script can't access at least one of the keys mentioned script: "
                        + "1f.|~holdfast:*",
                "ERR ACL failure in script: User u has no permissions to run the 'hset' command script: 1f.|grant it "
                        + "+hset",
                "READONLY You can't write against a read only replica.|its master",
                "MISCONF Redis is configured to save RDB snapshots, but it's unable to persist to disk.|its disk",
                "LOADING Redis is loading the dataset in memory|once that is done",
                "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.|SCRIPT KILL",
                "MOVED 866 10.0.0.1:6379|independent masters",
                "CLUSTERDOWN Hash slot not served|cluster is down",
                "CROSSSLOT Keys in request don't hash to the same slot|independent masters",
                "ERR DB index is out of range|no database of this number; correct the number",
                "ERR unknown command 'EVALSHA', with args beginning with: '1f' '1' 'BUSY' |no command EVALSHA; enable "
                        + "it",
                "ERR unknown command `EVAL`, with args beginning with: `-- Takes`, |?locks=transactions",
                "ERR unknown command 'SCAN', with args beginning with: '0' |no command SCAN; enable it",
                "ERR Unknown Redis command called from script script: 1f, on @user_script:134.|'holdfast doctor'",
                "ERR Error running script (call to f_1f): @user_script:3: @user_script: 3: Unknown Redis command "
                        + "called from Lua script|'holdfast doctor'",
                "ERR SELECT is not allowed in cluster mode|independent masters",
                "ERR This instance has cluster support disabled|no shard of a cluster; write redis://",
                "ERR something new|ERR something new"
            })
    void explain_errorOfAServer_namesTheRemedy(String message, String remedy) {
        assertThat(ServerErrors.explain(message)).contains(remedy).doesNotContain("\n");
    }

    /** A job with such a mistake would otherwise be skipped or run without its lock for ever. */
    @ParameterizedTest
    @CsvSource({
        "ERR DB index is out of range, true",
        "ERR SELECT is not allowed in cluster mode, true",
        "ERR This instance has cluster support disabled, true",
        "WRONGPASS invalid username-password pair, true",
        "LOADING Redis is loading the dataset in memory, false",
        "ERR unknown command 'EVAL', true",
        "ERR Unknown Redis command called from script script: 1f, true",
        "ERR max number of clients reached, false"
    })
    void isLasting_errorOfAServer_saysWhetherAPersonMustMendIt(String message, boolean isLasting) {
        assertThat(ServerErrors.isLasting(message)).isEqualTo(isLasting);
    }

    /** A client that took a missing command for a moved slot would try again for ever. */
    @Test
    void explainOfShard_errorThatRepeatsTheNameOfALock_isEmpty() {
        assertThat(ServerErrors.explainOfShard("MOVED 866 10.0.0.1:6379"))
                .hasValueSatisfying(text -> assertThat(text).contains("another shard"));
        assertThat(ServerErrors.explainOfShard("TRYAGAIN Multiple keys request during rehashing of slot"))
                .hasValueSatisfying(text -> assertThat(text).contains("--cluster fix"));
        assertThat(ServerErrors.explainOfShard("ERR unknown command 'EVALSHA', with args beginning with: 'MOVED' "))
                .isEmpty();
    }
}
