package io.ringtap.command;

import io.ringtap.Backend;
import io.ringtap.BackendConfig;
import io.ringtap.vhost.ops.Operations;
import org.slf4j.LoggerFactory;

import java.util.Map;

/** Serves one NIC: options to configuration, configuration to backend, then waits for the end. */
final class ServeCommand
{
    private ServeCommand()
    {
    }

    /**
     * Returns when the program is told to end or when the backend has nothing left to serve.
     *
     * @return the exit code.
     */
    static int run(final Map<ServeOption, String> given) throws Exception
    {
        final BackendConfig config = ServeWords.conclude(given);
        if (config.verbose())
        {
            Logging.level(Logging.VERBOSE);
        }
        final Termination termination = Termination.install();
        try (Operations operations = new Operations(); Backend backend = Backend.launch(config))
        {
            operations.nics().add(backend.nic(backend.port().name()));
            if (null != config.controlPath())
            {
                operations.listen(config.controlPath(), config.controlMode(), (commands) -> {});
            }
            backend.onEnd(termination::signal);
            LoggerFactory.getLogger(ServeCommand.class).info("{}: {}", backend.port().name(), where(config));
            termination.await();
        }
        return Program.DONE;
    }

    private static String where(final BackendConfig config)
    {
        if (BackendConfig.NONE != config.fd())
        {
            return "serving the front-end on descriptor " + config.fd();
        }
        return (config.client() ? "connecting to" : "waiting for") + " a front-end on " + config.socketPath();
    }
}
