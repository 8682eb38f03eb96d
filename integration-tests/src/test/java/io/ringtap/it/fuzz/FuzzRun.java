package io.ringtap.it.fuzz;

import io.ringtap.it.rig.HostFiles;
import io.ringtap.it.rig.Jdks;
import io.ringtap.it.rig.RigException;
import io.ringtap.it.rig.Settings;
import io.ringtap.it.rig.Shell;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One target for some seconds in a JVM of its own. The corpus grows in the build's directory, from the target's seeds
 * and from what the repository keeps; what fails is written beside it.
 */
final class FuzzRun
{
    /** Loading and instrumenting, on a busy machine. */
    private static final Duration BEFORE_AND_AFTER = Duration.ofSeconds(120);
    private static final Pattern DONE = Pattern.compile(
        "#(\\d+)\\s+DONE\\s+cov: (\\d+) ft: (\\d+) corp: (\\d+)/(\\S+)");
    private static final List<String> MODULES = List.of("tap-io", "xdp-hooks", "vhost-backend");

    private static final List<String> SANITIZERS = List.of("BigDecimal", "ClojureLangHooks", "Deserialization",
        "ExpressionLanguageInjection", "FilePathTraversal", "LdapInjection", "NamingContextLookup",
        "OsCommandInjection", "ReflectiveCall", "RegexInjection", "RegexRoadblocks", "ScriptEngineInjection",
        "ServerSideRequestForgery", "SqlInjection", "TemplateInjection", "UnsafeSanitizer", "XPathInjection",
        "XmlParserSsrfGuidance");

    private final FuzzTarget target;
    private final String name;
    private final Path directory;

    FuzzRun(final FuzzTarget target)
    {
        this.target = target;
        name = target.name().toLowerCase(Locale.ROOT);
        directory = HostFiles.directories(Settings.output().resolveSibling("fuzz").resolve(name));
    }

    /** What came out. @param size of the corpus, as libFuzzer writes it. */
    record Outcome(long executions, int coverage, int features, int inputs, String size)
    {
        @Override
        public String toString()
        {
            return executions + " executions, coverage " + coverage + " edges and " + features + " features, corpus " +
                inputs + " inputs of " + size;
        }
    }

    /** @throws RigException with the end of the log when an input failed. */
    Outcome run(final int seconds, final long seed)
    {
        final Path corpus = HostFiles.directories(directory.resolve("corpus"));
        final List<String> command = java();
        command.addAll(List.of(FuzzMain.class.getName(), target.className(), corpus.toString(),
            "--target_class=" + target.className(), "--instrumentation_includes=io.ringtap.**",
            "--custom_hook_includes=io.ringtap.**", "--disabled_hooks=" + disabled(),
            "--reproducer_path=" + directory, "-seed=" + seed,
            "-max_total_time=" + seconds, "-max_len=" + target.longest(), "-timeout=60", "-rss_limit_mb=0",
            "-print_final_stats=1", "-artifact_prefix=" + directory + "/", corpus.toString()));
        final Path kept = kept();
        if (Files.isDirectory(kept))
        {
            command.add(kept.toString());
        }
        final Shell.Result result = Shell.run(BEFORE_AND_AFTER.plusSeconds(seconds), Map.of(), command);
        HostFiles.write(directory.resolve("log.txt"), result.output());
        final Matcher done = DONE.matcher(result.output());
        if (!result.isSuccess() || !done.find())
        {
            throw new RigException(target + ": an input failed; it is in " + directory + "\n" +
                HostFiles.tail(directory.resolve("log.txt"), 60));
        }
        return new Outcome(Long.parseLong(done.group(1)), Integer.parseInt(done.group(2)),
            Integer.parseInt(done.group(3)), Integer.parseInt(done.group(4)), done.group(5));
    }

    /** What an operator names is loaded and opened on purpose; comparisons stay hooked, they guide. */
    private static String disabled()
    {
        return String.join(":", SANITIZERS.stream().map((name) -> "com.code_intelligence.jazzer.sanitizers." + name)
            .toList());
    }

    /** Inputs in the repository. */
    private Path kept()
    {
        return Settings.root().resolve("integration-tests/src/test/resources/fuzz").resolve(name);
    }

    private static List<String> java()
    {
        final List<String> command = new ArrayList<>(List.of(Jdks.current().resolve("bin/java").toString(),
            "-XX:+UseSerialGC", "-XX:-UsePerfData", "-Xmx640m", "-Xss4m", "-XX:MaxMetaspaceSize=512m", "-ea",
            "-Djnr.ffi.asm.enabled=false", "-Djnr.ffi.x86asm.enabled=false", "-Dagrona.disable.bounds.checks=false",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
            "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
            "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
            "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED", "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED"));
        if (Runtime.version().feature() > 20)
        {
            command.addAll(List.of("-XX:+EnableDynamicAgentLoading", "--enable-native-access=ALL-UNNAMED"));
        }
        final StringBuilder path = new StringBuilder(System.getProperty(
            "surefire.test.class.path", System.getProperty("java.class.path")));
        for (final String module : MODULES)
        {
            final Path classes = Settings.root().resolve(module).resolve("target/test-classes");
            if (!Files.isDirectory(classes))
            {
                throw new RigException("no test classes in " + classes + "; build them with: mvn test-compile");
            }
            path.append(':').append(classes);
        }
        command.addAll(List.of("-cp", path.toString()));
        return command;
    }
}
