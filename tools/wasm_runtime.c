/* What Numba's runtime gives to compiled code, for a page: blocks of doubling sizes; those that are freed wait in lists. */
typedef unsigned long size_t;
typedef struct Info {   /* as Numba lays it out, up to `allocator` */
    size_t count; void *dtor, *dtor_info, *data; size_t size; void *allocator;
    size_t kind; struct Info *next;
} Info;
extern unsigned char __heap_base;
static size_t top;
static Info *freed[64];

void *grab(size_t n) {   /* n bytes that nobody gives back */
    if (!top) top = (size_t)&__heap_base;
    size_t at = (top + 63) & ~(size_t)63, have = __builtin_wasm_memory_size(0) << 16;
    top = at + n;
    if (top > have && __builtin_wasm_memory_grow(0, ((top - have) >> 16) + 64) == (size_t)-1) __builtin_trap();
    return (void *)at;
}

Info *NRT_MemInfo_alloc_aligned(size_t size, unsigned align) {
    size_t kind = 6;
    while (((size_t)1 << kind) < size) kind++;
    Info *info = freed[kind];
    if (info) freed[kind] = info->next;
    else {
        info = grab(sizeof(Info));
        info->data = grab((size_t)1 << kind);
        info->kind = kind;
    }
    info->count = 1;
    info->size = size;
    return info;
}

void NRT_incref(Info *info) { if (info) info->count++; }

void NRT_decref(Info *info) {
    if (!info || --info->count) return;
    info->next = freed[info->kind];
    freed[info->kind] = info;
}

void __multi3(size_t *out, size_t a, size_t a_high, size_t b, size_t b_high) {   /* 128 bits: does a product overflow? */
    size_t m = 0xffffffff, a0 = a & m, a1 = a >> 32, b0 = b & m, b1 = b >> 32;
    size_t x = a0 * b0, y = a1 * b0 + (x >> 32), z = a0 * b1 + (y & m);
    out[0] = (z << 32) | (x & m);
    out[1] = a1 * b1 + (y >> 32) + (z >> 32) + a_high * b + a * b_high;
}
