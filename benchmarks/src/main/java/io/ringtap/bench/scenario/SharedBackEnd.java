package io.ringtap.bench.scenario;

import io.ringtap.bench.path.BackEnd;
import io.ringtap.it.rig.ProcessView;

import java.nio.file.Path;
import java.util.function.Supplier;

/** A backend that several sides use in turn, so that whoever started it ends it. */
record SharedBackEnd(Supplier<Path> where, Supplier<ProcessView> what) implements BackEnd
{
    @Override
    public Path socket()
    {
        return where.get();
    }

    @Override
    public ProcessView view()
    {
        return what.get();
    }

    @Override
    public void start()
    {
        // A kick wakes it.
    }

    @Override
    public void stop()
    {
        // It sleeps when nothing comes.
    }

    @Override
    public void close()
    {
        // Others use it.
    }
}
