package io.ringtap.sys.uring;

/** Numbers and offsets of linux/io_uring.h, as far as they are used. */
final class UringAbi
{
    static final int IORING_OP_NOP = 0;
    static final int IORING_OP_READV = 1;
    static final int IORING_OP_WRITEV = 2;
    static final int IORING_OP_READ_FIXED = 4;
    static final int IORING_OP_WRITE_FIXED = 5;
    static final int IORING_OP_POLL_ADD = 6;
    static final int IORING_OP_POLL_REMOVE = 7;
    static final int IORING_OP_ASYNC_CANCEL = 14;
    static final int IORING_OP_READ = 22;
    static final int IORING_OP_WRITE = 23;

    static final int IORING_SETUP_CQSIZE = 1 << 3;
    static final int IORING_SETUP_R_DISABLED = 1 << 6;
    static final int IORING_SETUP_SUBMIT_ALL = 1 << 7;
    static final int IORING_SETUP_COOP_TASKRUN = 1 << 8;
    static final int IORING_SETUP_TASKRUN_FLAG = 1 << 9;
    static final int IORING_SETUP_SINGLE_ISSUER = 1 << 12;
    static final int IORING_SETUP_DEFER_TASKRUN = 1 << 13;

    static final int IORING_FEAT_SINGLE_MMAP = 1;
    static final int IORING_FEAT_NODROP = 1 << 1;
    static final int IORING_FEAT_EXT_ARG = 1 << 8;

    static final int IORING_ENTER_GETEVENTS = 1;
    static final int IORING_ENTER_EXT_ARG = 1 << 3;

    static final int IORING_SQ_CQ_OVERFLOW = 1 << 1;
    static final int IORING_SQ_TASKRUN = 1 << 2;

    static final int IOSQE_FIXED_FILE = 1;

    static final int IORING_CQE_F_MORE = 1 << 1;

    static final int IORING_POLL_ADD_MULTI = 1;
    static final int IORING_ASYNC_CANCEL_ALL = 1;
    static final int IORING_ASYNC_CANCEL_ANY = 1 << 2;

    static final int IORING_REGISTER_BUFFERS = 0;
    static final int IORING_UNREGISTER_BUFFERS = 1;
    static final int IORING_REGISTER_FILES = 2;
    static final int IORING_UNREGISTER_FILES = 3;
    static final int IORING_REGISTER_FILES_UPDATE = 6;
    static final int IORING_REGISTER_ENABLE_RINGS = 12;

    static final long IORING_OFF_SQ_RING = 0;
    static final long IORING_OFF_SQES = 0x10000000L;

    /** struct io_uring_params; the two offset tables inside are struct io_sqring_offsets and io_cqring_offsets. */
    static final int PARAMS_LENGTH = 120;
    static final int PARAMS_SQ_ENTRIES = 0;
    static final int PARAMS_CQ_ENTRIES = 4;
    static final int PARAMS_FLAGS = 8;
    static final int PARAMS_FEATURES = 20;
    static final int PARAMS_SQ_HEAD = 40;
    static final int PARAMS_SQ_TAIL = 44;
    static final int PARAMS_SQ_FLAGS = 56;
    static final int PARAMS_SQ_ARRAY = 64;
    static final int PARAMS_CQ_HEAD = 80;
    static final int PARAMS_CQ_TAIL = 84;
    static final int PARAMS_CQ_OVERFLOW = 96;
    static final int PARAMS_CQ_CQES = 100;

    /**
     * struct io_uring_sqe:
     * <pre>
     *  0 opcode  1 flags  2 ioprio  4 fd  8 off  16 addr  24 len  28 op flags  32 user_data  40 buf_index  42..63 rest
     * </pre>
     */
    static final int SQE_LENGTH = 64;
    static final int SQE_OFFSET = 8;
    static final int SQE_ADDRESS = 16;
    static final int SQE_LEN_AND_FLAGS = 24;
    static final int SQE_USER_DATA = 32;
    static final int SQE_BUFFER_INDEX = 40;

    /** struct io_uring_cqe: user_data, res, flags. */
    static final int CQE_LENGTH = 16;
    static final int CQE_RESULT = 8;
    static final int CQE_FLAGS = 12;

    /** struct io_uring_getevents_arg: sigmask, its size, padding, then the address of a struct __kernel_timespec. */
    static final int ARGUMENT_LENGTH = 24;
    static final int ARGUMENT_TIME = 16;

    /** struct __kernel_timespec: seconds, nanoseconds. */
    static final int TIME_LENGTH = 16;

    private UringAbi()
    {
    }
}
