// A driver of a virtio network device that breaks the rules, as a program in the guest: the kernel lets go of the
// device, and we drive it through its mapped registers, with rings in locked pages of our own (virtio 1.x, 4.1, 2.7
// and 2.8). "LAYOUT list" names the ways with what each may cost and the counter that tells; "LAYOUT WAY SEED COUNT"
// does one COUNT times and says after each whether the device is still of use: "WAY: CASES cases, FAULTS faults".
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PAGE 4096
#define SIZE 64
#define FILES "/sys/bus/pci/devices/"
#define NEXT 1
#define WRITE 2
#define INDIRECT 4
#define HEADER 12
#define FRAME 60
#define RECEIVE 0
#define SEND 1
#define PAGES 160
#define TABLE_PAGE 4
#define FRAME_PAGE 8
#define ROOM_PAGE 96

struct descriptor {
    uint64_t address;
    uint32_t length;
    uint16_t flags;
    uint16_t next;
};

// What is described and not yet shown is ours alone in a packed ring; a split one has it in its table.
struct ring {
    struct descriptor staged[SIZE];
    volatile struct descriptor *descriptors;
    volatile uint16_t *available;
    volatile uint16_t *used;
    uint16_t shown;
    uint16_t seen;
    uint16_t notify;
    // packed: the next slot to show and its lap, those of what comes back, and how long the chains there are
    uint16_t slot, lap, used_slot, used_lap;
    uint16_t lengths[SIZE];
    uint32_t used_bytes;
};

static volatile uint8_t *common, *notify_base;
static uint32_t notify_multiplier;
static uint8_t *pages;
static uint64_t physical[PAGES];
static uint64_t memory_end;
static struct ring rings[2];
static uint64_t seed;
static int is_packed;
static int is_running;
static int faults;
// the ring that the last way broke
static int struck;

static void die(const char *what)
{
    printf("cannot go on: %s: %s\n", what, strerror(errno));
    exit(1);
}

static uint32_t draw(uint32_t below)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % below;
}

static void pause_us(long us)
{
    struct timespec time = {us / 1000000, us % 1000000 * 1000};
    nanosleep(&time, NULL);
}

// ---- the device

static uint8_t *map_file(const char *device, int bar)
{
    char path[300];
    struct stat file;
    uint8_t *mapped;
    int fd;

    snprintf(path, sizeof(path), FILES "%s/resource%d", device, bar);
    fd = open(path, O_RDWR | O_SYNC);
    if (fd < 0 || fstat(fd, &file))
        die(path);
    mapped = mmap(NULL, file.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (mapped == MAP_FAILED)
        die(path);
    return mapped;
}

static void find_registers(const char *device)
{
    char path[300];
    uint8_t config[256];
    uint16_t command;
    int fd, at, guard = 0;

    snprintf(path, sizeof(path), FILES "%s/config", device);
    fd = open(path, O_RDWR);
    if (fd < 0 || pread(fd, config, sizeof(config), 0) != sizeof(config))
        die(path);
    // memory and bus mastering, no interrupt by wire
    command = 0x406;
    if (pwrite(fd, &command, 2, 4) != 2)
        die(path);
    close(fd);
    for (at = config[0x34]; at && guard++ < 48; at = config[at + 1]) {
        uint32_t offset;

        if (config[at] != 9)
            continue;
        memcpy(&offset, config + at + 8, 4);
        if (config[at + 3] == 1 && !common)
            common = map_file(device, config[at + 4]) + offset;
        if (config[at + 3] == 2 && !notify_base) {
            notify_base = map_file(device, config[at + 4]) + offset;
            memcpy(&notify_multiplier, config + at + 16, 4);
        }
    }
    if (!common || !notify_base)
        die("no registers of virtio 1");
}

static void find_device(void)
{
    DIR *all = opendir(FILES);
    struct dirent *entry;

    while (all && (entry = readdir(all))) {
        char path[300], vendor[16] = "", id[16] = "";
        FILE *file;

        snprintf(path, sizeof(path), FILES "%s/vendor", entry->d_name);
        file = fopen(path, "r");
        if (!file)
            continue;
        if (!fgets(vendor, sizeof(vendor), file))
            vendor[0] = 0;
        fclose(file);
        snprintf(path, sizeof(path), FILES "%s/device", entry->d_name);
        file = fopen(path, "r");
        if (!file)
            continue;
        if (!fgets(id, sizeof(id), file))
            id[0] = 0;
        fclose(file);
        if (!strncmp(vendor, "0x1af4", 6) && (!strncmp(id, "0x1000", 6) || !strncmp(id, "0x1041", 6))) {
            find_registers(entry->d_name);
            closedir(all);
            return;
        }
    }
    die("no virtio network device");
}

// Pages of our own, where they are, and where memory ends.
static void find_memory(void)
{
    FILE *map;
    char line[200];
    int fd, i;

    pages = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (pages == MAP_FAILED || mlock(pages, PAGES * PAGE))
        die("memory");
    memset(pages, 0, PAGES * PAGE);
    fd = open("/proc/self/pagemap", O_RDONLY);
    if (fd < 0)
        die("pagemap");
    for (i = 0; i < PAGES; i++) {
        uint64_t entry = 0;

        if (pread(fd, &entry, 8, ((uintptr_t)pages / PAGE + i) * 8) != 8 || !(entry & 0x7fffffffffffff))
            die("pagemap");
        physical[i] = (entry & 0x7fffffffffffff) * PAGE;
    }
    close(fd);
    map = fopen("/proc/iomem", "r");
    while (map && fgets(line, sizeof(line), map)) {
        unsigned long long first, last;

        if (strstr(line, "System RAM") && sscanf(line, "%llx-%llx", &first, &last) == 2)
            memory_end = (last + 0x100000) & ~0xfffffULL;
    }
    if (!memory_end)
        die("/proc/iomem");
}

static void put16(int at, uint16_t value) { *(volatile uint16_t *)(common + at) = value; }
static void put32(int at, uint32_t value) { *(volatile uint32_t *)(common + at) = value; }
static uint16_t get16(int at) { return *(volatile uint16_t *)(common + at); }

static void put64(int at, uint64_t value)
{
    put32(at, (uint32_t)value);
    put32(at + 4, (uint32_t)(value >> 32));
}

static void reset(void)
{
    int i;

    common[20] = 0;
    for (i = 0; common[20] && i < 10000; i++)
        pause_us(1000);
    if (common[20])
        die("the device does not reset");
    is_running = 0;
}

static void kick(int which)
{
    *(volatile uint16_t *)(notify_base + rings[which].notify * notify_multiplier) = which;
}

static void set_up_ring(int which)
{
    struct ring *ring = &rings[which];
    uint64_t at = physical[which];

    memset(pages + which * PAGE, 0, PAGE);
    ring->descriptors = (struct descriptor *)(pages + which * PAGE);
    ring->available = (uint16_t *)(pages + which * PAGE + 1024);
    ring->used = (uint16_t *)(pages + which * PAGE + 2048);
    // no interrupts
    ring->available[is_packed ? 1 : 0] = 1;
    ring->shown = ring->seen = 0;
    ring->slot = ring->used_slot = 0;
    ring->lap = ring->used_lap = 1;
    put16(22, which);
    put16(24, SIZE);
    put16(26, 0xffff);
    put64(32, at);
    put64(40, at + 1024);
    put64(48, at + 2048);
    ring->notify = get16(30);
    put16(28, 1);
}

static void set_up(void)
{
    reset();
    common[20] = 1;
    common[20] = 3;
    put32(8, 0);
    // MRG_RXBUF and INDIRECT_DESC, no offloads
    put32(12, 1u << 15 | 1u << 28);
    put32(8, 1);
    // VERSION_1, and RING_PACKED
    put32(12, is_packed ? 5 : 1);
    common[20] = 11;
    if (!(common[20] & 8))
        die("the device does not take the features");
    set_up_ring(RECEIVE);
    set_up_ring(SEND);
    common[20] = 15;
    is_running = 1;
}

// ---- rings

static void fence(void) { __sync_synchronize(); }

static void describe(int which, int index, uint64_t address, uint32_t length, int flags, int next)
{
    struct descriptor it = {address, length, flags, next};

    rings[which].staged[index] = it;
    if (!is_packed)
        memcpy((void *)(rings[which].descriptors + index), &it, sizeof(it));
}

static void entry(int index, uint64_t address, uint32_t length, int flags, int next)
{
    struct descriptor *it = (struct descriptor *)(pages + TABLE_PAGE * PAGE) + index;

    it->address = address;
    it->length = length;
    it->flags = flags;
    it->next = next;
}

// Puts a descriptor into the next slot (address, length, id, flags); it is the device's when the flags say so.
static void put_slot(struct ring *ring, struct descriptor it, int id, int is_shown)
{
    volatile struct descriptor *slot = &ring->descriptors[ring->slot];
    int lap = is_shown ? ring->lap : !ring->lap;

    slot->address = it.address;
    slot->length = it.length;
    slot->flags = id;
    fence();
    slot->next = it.flags | lap << 7 | !lap << 15;
    ring->slot = (ring->slot + 1) % SIZE;
    ring->lap ^= !ring->slot;
}

// The chain in slots one after the other, the first one shown last; the id is where it began.
static void show_packed(struct ring *ring, int head)
{
    int first = ring->slot, lap = ring->lap, at = head, count = 1;

    put_slot(ring, ring->staged[at], first, 0);
    while (ring->staged[at].flags & NEXT && count < SIZE) {
        at = ring->staged[at].next % SIZE;
        put_slot(ring, ring->staged[at], first, 1);
        count++;
    }
    ring->lengths[first] = count;
    fence();
    ring->descriptors[first].next = ring->staged[head].flags | lap << 7 | !lap << 15;
}

static void show(int which, int head)
{
    struct ring *ring = &rings[which];

    if (is_packed) {
        show_packed(ring, head);
    } else {
        ring->available[2 + ring->shown % SIZE] = head;
        fence();
        ring->shown++;
        ring->available[1] = ring->shown;
    }
    fence();
    kick(which);
}

// Takes one chain that came back, if there is one.
static int take_back(struct ring *ring)
{
    volatile struct descriptor *slot = &ring->descriptors[ring->used_slot];
    int flags;

    if (!is_packed) {
        if (ring->used[1] == ring->seen)
            return 0;
        fence();
        ring->used_bytes = *(volatile uint32_t *)(ring->used + 2 + ring->seen % SIZE * 4 + 2);
        ring->seen++;
        return 1;
    }
    flags = slot->next;
    if ((flags >> 7 & 1) != ring->used_lap || (flags >> 15 & 1) != ring->used_lap)
        return 0;
    fence();
    ring->used_bytes = flags & WRITE ? slot->length : 0;
    ring->used_slot += ring->lengths[slot->flags % SIZE];
    if (ring->used_slot >= SIZE) {
        ring->used_slot -= SIZE;
        ring->used_lap ^= 1;
    }
    return 1;
}

// Whether so many more chains come back within a time.
static int comes_back(int which, int count, int ms)
{
    int i;

    for (i = 0; i < ms * 5; i++) {
        while (count && take_back(&rings[which]))
            count--;
        if (!count)
            return 1;
        pause_us(200);
    }
    return 0;
}

// Nothing wrong with it: a frame to nobody, so that the host's stack drops it.
static void write_frame(int page)
{
    uint8_t *frame = pages + page * PAGE;

    memset(frame, 0, PAGE);
    memcpy(frame + HEADER, "\x02\x00\x00\x00\x77\x77\x02\x00\x00\x00\x77\x78\x88\xb5", 14);
}

static int is_good(int head)
{
    write_frame(FRAME_PAGE);
    describe(SEND, head, physical[FRAME_PAGE], HEADER + FRAME, 0, 0);
    show(SEND, head);
    return comes_back(SEND, 1, 20000);
}

static void receives(int head)
{
    describe(RECEIVE, head, physical[ROOM_PAGE], PAGE, WRITE, 0);
    show(RECEIVE, head);
}

// ---- the ways; each shows what it did, and says how many chains should come back

static uint64_t nowhere(void)
{
    switch (draw(6)) {
    case 0: return memory_end;
    case 1: return memory_end - 8;
    case 2: return memory_end + draw(1 << 30) + PAGE;
    case 3: return (uint64_t)draw(1 << 30) << 34 | 1ULL << 63;
    case 4: return ~0ULL - draw(64);
    default: return (1ULL << 40) + draw(1 << 30);
    }
}

static int loop(void)
{
    int length = 2 + draw(SIZE - 2), i;

    for (i = 0; i < length; i++)
        describe(SEND, i, physical[FRAME_PAGE], 1, NEXT, (i + 1) % length);
    show(SEND, draw(length));
    return 1;
}

static int own_next(void)
{
    int head = draw(SIZE);

    describe(SEND, head, physical[FRAME_PAGE], draw(16), NEXT, head);
    show(SEND, head);
    return 1;
}

static int next_outside(void)
{
    describe(SEND, 3, physical[FRAME_PAGE], HEADER, NEXT, SIZE + draw(65536 - SIZE));
    show(SEND, 3);
    return 1;
}

static int unmapped(void)
{
    describe(SEND, 4, nowhere(), 64 + draw(1000), 0, 0);
    show(SEND, 4);
    return 1;
}

static int unmapped_rest(void)
{
    write_frame(FRAME_PAGE);
    describe(SEND, 4, physical[FRAME_PAGE], HEADER + 20, NEXT, 5);
    describe(SEND, 5, nowhere(), 64 + draw(1000), 0, 0);
    show(SEND, 4);
    return 1;
}

static int endless_length(void)
{
    describe(SEND, 6, physical[FRAME_PAGE], 0xffffffff - draw(PAGE), 0, 0);
    show(SEND, 6);
    return 1;
}

static int empty(void)
{
    describe(SEND, 7, physical[FRAME_PAGE], 0, 0, 0);
    show(SEND, 7);
    return 1;
}

static int less_than_header(void)
{
    describe(SEND, 7, physical[FRAME_PAGE], 1 + draw(HEADER - 1), 0, 0);
    show(SEND, 7);
    return 1;
}

static int short_frame(void)
{
    write_frame(FRAME_PAGE);
    describe(SEND, 7, physical[FRAME_PAGE], HEADER + draw(14), 0, 0);
    show(SEND, 7);
    return 1;
}

// More than any frame, less than any chain.
static int long_frame(void)
{
    int i;

    write_frame(FRAME_PAGE);
    for (i = 0; i < 16; i++)
        describe(SEND, i, physical[FRAME_PAGE + (i ? 1 : 0)], PAGE, NEXT, i + 1);
    describe(SEND, 16, physical[FRAME_PAGE + 1], 64 + draw(900), 0, 0);
    show(SEND, 0);
    return 1;
}

static int too_many_bytes(void)
{
    int i, length = 18 + draw(SIZE - 18);

    for (i = 0; i < length; i++)
        describe(SEND, i, physical[FRAME_PAGE + i % 8], PAGE, i < length - 1 ? NEXT : 0, i + 1);
    show(SEND, 0);
    return 1;
}

static int wrong_order(void)
{
    describe(SEND, 1, physical[FRAME_PAGE], HEADER, WRITE | NEXT, 2);
    describe(SEND, 2, physical[FRAME_PAGE], FRAME + draw(100), 0, 0);
    show(SEND, 1);
    return 1;
}

static int only_writable(void)
{
    describe(SEND, 1, physical[FRAME_PAGE], HEADER + FRAME, WRITE, 0);
    show(SEND, 1);
    return 1;
}

static int header_field(void)
{
    uint8_t *header;

    write_frame(FRAME_PAGE);
    header = pages + FRAME_PAGE * PAGE;
    switch (draw(3)) {
    case 0: header[0] = 1; header[6] = draw(256); header[7] = draw(256); break;
    case 1: header[1] = 1 + draw(255); break;
    default: header[1] = 1 + draw(5); header[2] = draw(256); header[4] = draw(256); header[5] = draw(256); break;
    }
    describe(SEND, 9, physical[FRAME_PAGE], HEADER + FRAME, 0, 0);
    show(SEND, 9);
    return 1;
}

static int table_length(void)
{
    static const uint32_t lengths[] = {0, 1, 15, 17, 24, 16 * SIZE + 16, 0x7ffffff0, 0xfffffff0, 0xffffffff};

    describe(SEND, 10, physical[TABLE_PAGE], lengths[draw(9)], INDIRECT, 0);
    show(SEND, 10);
    return 1;
}

static int table_nowhere(void)
{
    describe(SEND, 10, nowhere(), 32, INDIRECT, 0);
    show(SEND, 10);
    return 1;
}

static int table_nested(void)
{
    entry(0, physical[TABLE_PAGE], 16, INDIRECT, 0);
    describe(SEND, 10, physical[TABLE_PAGE], 16, INDIRECT, 0);
    show(SEND, 10);
    return 1;
}

static int table_chained(void)
{
    entry(0, physical[FRAME_PAGE], HEADER + FRAME, 0, 0);
    describe(SEND, 10, physical[TABLE_PAGE], 16, INDIRECT | NEXT, 11);
    describe(SEND, 11, physical[FRAME_PAGE], 16, 0, 0);
    show(SEND, 10);
    return 1;
}

static int table_loop(void)
{
    int length = 2 + draw(SIZE - 2), i;

    for (i = 0; i < length; i++)
        entry(i, physical[FRAME_PAGE], 0, NEXT, (i + 1) % length);
    describe(SEND, 10, physical[TABLE_PAGE], 16 * length, INDIRECT, 0);
    show(SEND, 10);
    return 1;
}

static int head_outside(void)
{
    struck = draw(2);
    show(struck, SIZE + draw(65536 - SIZE));
    return 0;
}

static int index_jump(void)
{
    struck = draw(2);
    rings[struck].shown += SIZE + 1 + draw(65535 - 2 * SIZE);
    rings[struck].available[1] = rings[struck].shown;
    fence();
    kick(struck);
    return 0;
}

static int kicks(void)
{
    int i;

    for (i = 0; i < 2000; i++)
        kick(i & 1);
    return 0;
}

static int frozen(void)
{
    rings[SEND].available[2 + rings[SEND].shown % SIZE] = draw(65536);
    fence();
    kick(SEND);
    return 0;
}

static int bad_room(void)
{
    describe(RECEIVE, 0, nowhere(), PAGE, WRITE, 0);
    show(RECEIVE, 0);
    return 1;
}

static int no_room(void)
{
    describe(RECEIVE, 0, physical[ROOM_PAGE], PAGE, 0, 0);
    show(RECEIVE, 0);
    return 1;
}

static int room_in_circles(void)
{
    describe(RECEIVE, 0, physical[ROOM_PAGE], 0, WRITE | NEXT, 1);
    describe(RECEIVE, 1, physical[ROOM_PAGE], 0, WRITE | NEXT, 0);
    show(RECEIVE, 0);
    return 1;
}

// The whole ring is random, and goes on changing while the device walks it.
static int noise(void)
{
    int i, j;

    for (i = 0; i < SIZE; i++)
        describe(SEND, i, draw(3) ? physical[FRAME_PAGE + draw(64)] + draw(64) : nowhere(),
            draw(4) ? draw(2 * PAGE) : draw(0x7fffffff), draw(8), draw(SIZE + 2));
    for (i = 0; i < SIZE; i++)
        entry(i, draw(3) ? physical[FRAME_PAGE + draw(64)] : nowhere(), draw(PAGE), draw(8), draw(SIZE + 2));
    for (i = 0; i < 8; i++) {
        describe(SEND, draw(SIZE), physical[TABLE_PAGE], 16 * draw(SIZE + 2), INDIRECT, 0);
        show(SEND, draw(SIZE));
    }
    for (j = 0; j < 400; j++) {
        uint8_t *bytes = (uint8_t *)rings[SEND].descriptors;

        bytes[draw(16 * SIZE)] = draw(256);
        if (!draw(16))
            show(SEND, draw(SIZE));
    }
    return 0;
}

// What the driver has no business to write: what the device tells it.
static int used_ring(void)
{
    int i;

    for (i = 0; i < 100; i++)
        rings[SEND].used[draw(2 + 4 * SIZE)] = draw(65536);
    kick(SEND);
    return 0;
}

// Packed: every slot is the device's, and none says that the chain ends.
static int never_ends(void)
{
    int i;

    struck = SEND;
    for (i = 0; i < SIZE; i++)
        describe(SEND, i, physical[FRAME_PAGE], draw(16), NEXT, (i + 1) % SIZE);
    show(SEND, 0);
    return 0;
}

// Packed: what the driver tells of its wish for notifications is anything.
static int wishes(void)
{
    int i;

    for (i = 0; i < 50; i++) {
        rings[SEND].available[0] = draw(65536);
        rings[SEND].available[1] = draw(65536);
        if (!is_good(draw(SIZE - 1)))
            return 1;
    }
    return 0;
}

enum layout { BOTH, SPLIT, PACKED };

enum cost { FRAMES, RING, NOTHING, ANYTHING, RECEIVED };

static const struct way {
    enum layout layout;
    const char *name;
    int (*does)(void);
    enum cost cost;
    const char *counter;
} ways[] = {
    {SPLIT, "loop", loop, FRAMES, "chain_endless"},
    {SPLIT, "own-next", own_next, FRAMES, "chain_endless"},
    {SPLIT, "next-outside", next_outside, FRAMES, "next_range"},
    {BOTH, "unmapped", unmapped, FRAMES, "buffer_unmapped"},
    {BOTH, "unmapped-rest", unmapped_rest, FRAMES, "buffer_unmapped"},
    {BOTH, "endless-length", endless_length, FRAMES, "buffer_unmapped"},
    {BOTH, "empty", empty, FRAMES, "drop-chain"},
    {BOTH, "less-than-header", less_than_header, FRAMES, "drop-chain"},
    {BOTH, "short-frame", short_frame, FRAMES, "drop-short"},
    {BOTH, "long-frame", long_frame, FRAMES, "drop-long"},
    {BOTH, "too-many-bytes", too_many_bytes, FRAMES, "chain_bytes"},
    {BOTH, "wrong-order", wrong_order, FRAMES, "buffer_order"},
    {BOTH, "only-writable", only_writable, FRAMES, "drop-chain"},
    {BOTH, "header-field", header_field, FRAMES, "drop-net-header"},
    {BOTH, "table-length", table_length, FRAMES, "indirect_length"},
    {BOTH, "table-nowhere", table_nowhere, FRAMES, "indirect_unmapped"},
    {SPLIT, "table-nested", table_nested, FRAMES, "indirect_nested"},
    {BOTH, "table-chained", table_chained, FRAMES, "indirect_chained"},
    {SPLIT, "table-loop", table_loop, FRAMES, "chain_endless"},
    {SPLIT, "head-outside", head_outside, RING, "head_range"},
    {SPLIT, "index-jump", index_jump, RING, "available_lead"},
    {BOTH, "kicks", kicks, NOTHING, "-"},
    {SPLIT, "frozen", frozen, NOTHING, "-"},
    {BOTH, "bad-room", bad_room, RECEIVED, "buffer_unmapped"},
    {BOTH, "no-room", no_room, RECEIVED, "drop-chain"},
    {SPLIT, "room-in-circles", room_in_circles, RECEIVED, "chain_endless"},
    {SPLIT, "used-ring", used_ring, ANYTHING, "-"},
    {BOTH, "noise", noise, ANYTHING, "-"},
    {PACKED, "never-ends", never_ends, RING, "chain_endless"},
    {PACKED, "wishes", wishes, NOTHING, "-"},
};

static const char *const costs[] = {"frames", "ring", "nothing", "anything", "received"};

static void check(int holds, const struct way *way, int number, const char *otherwise)
{
    if (!holds) {
        printf("%s, case %d: %s\n", way->name, number, otherwise);
        faults++;
        is_running = 0;
    }
}

static void attack(const struct way *way, int number)
{
    int back;

    if (!is_running) {
        set_up();
        check(is_good(SIZE - 1), way, number, "a device that was reset sends nothing");
    }
    back = way->does();
    switch (way->cost) {
    case FRAMES:
        check(comes_back(SEND, back, 20000), way, number, "its chain never came back");
        check(!rings[SEND].used_bytes, way, number, "its chain came back with a length");
        check(is_good(SIZE - 1), way, number, "the next frame was not sent");
        break;
    case NOTHING:
        check(!back, way, number, "a frame in between was not sent");
        check(is_good(SIZE - 1), way, number, "the next frame was not sent");
        break;
    case RECEIVED:
        check(comes_back(RECEIVE, back, 20000), way, number, "its chain never came back");
        check(!rings[RECEIVE].used_bytes, way, number, "its chain came back with a length");
        receives(5);
        check(comes_back(RECEIVE, 1, 20000), way, number, "nothing was received any more");
        check(is_good(SIZE - 1), way, number, "the next frame was not sent");
        break;
    case RING:
        if (struck == RECEIVE) {
            check(is_good(SIZE - 1), way, number, "the other ring stopped too");
        } else {
            pause_us(20000);
            if (!is_packed) {
                rings[SEND].shown = rings[SEND].seen;
                show(SEND, 0);
            }
            check(!comes_back(SEND, 1, 20), way, number, "the ring did not stop");
        }
        // after a reset the device is as new
        is_running = 0;
        break;
    case ANYTHING:
        pause_us(5000);
        is_running = 0;
        break;
    }
}

static int suits(const struct way *way)
{
    return way->layout == BOTH || (way->layout == PACKED) == is_packed;
}

int main(int count, char **words)
{
    const int all = sizeof(ways) / sizeof(ways[0]);
    int i, j, cases;

    setvbuf(stdout, NULL, _IOLBF, 0);
    if (count < 3)
        return 2;
    is_packed = !strcmp(words[1], "packed");
    if (!strcmp(words[2], "list")) {
        for (i = 0; i < all; i++)
            if (suits(&ways[i]))
                printf("%s %s %s\n", ways[i].name, costs[ways[i].cost], ways[i].counter);
        return 0;
    }
    if (count != 5)
        return 2;
    find_device();
    find_memory();
    cases = atoi(words[4]);
    for (i = 0; i < all; i++) {
        if (strcmp(ways[i].name, words[2]) || !suits(&ways[i]))
            continue;
        for (j = 0; j < cases; j++) {
            seed = strtoull(words[3], NULL, 10) * 1000003 + j;
            draw(2);
            attack(&ways[i], j);
        }
        // the device is left as it should be: usable
        set_up();
        check(is_good(SIZE - 1), &ways[i], cases, "the device sends nothing any more");
        reset();
        printf("%s: %d cases, %d faults\n", ways[i].name, cases, faults);
        return faults ? 1 : 0;
    }
    return 2;
}
