#include "profile_reduce.h"

#include "../base/memory.h"
#include "../instr/add_counts.h"
#include "profile_wire.h"
#include "rank_bytes.h"

#include <sha2.h>
#include <stdlib.h>
#include <string.h>

// --- what profiles have in common ---------------------------------------------------------------

struct skeleton {
  uint8_t digest[SHA256_DIGEST_LENGTH]; // of all but counts; zeros: there is no profile
};

// So much as contprof_wire_put would put of it without its counts.
static void put_skeleton(const struct contprof_profile *profile, struct contprof_byte_writer *out) {
  struct contprof_profile bare = *profile;
  bare.functions = NULL;
  bare.function_count = 0;
  bare.format = CONTPROF_FORMAT_NONE; // of the first input
  bare.version = 0;
  contprof_wire_put(&bare, out);
  for (size_t i = 0; i < profile->function_count; i++) {
    const struct contprof_function *function = profile->functions[i];
    contprof_wire_put_text(out, function->name, function->name_length);
    contprof_put_u64(out, function->name_ref);
    contprof_put_u64(out, function->hash);
    contprof_put_u32(out, function->counter_count);
    contprof_put_u32(out, function->bitmap_size);
    contprof_put_bytes(out, function->site_count, sizeof function->site_count);
  }
}

static bool is_nothing(const struct contprof_profile *profile) {
  return profile->format == CONTPROF_FORMAT_NONE;
}

static struct skeleton skeleton_of(const struct contprof_profile *profile) {
  struct skeleton skeleton = {{0}};
  struct contprof_byte_writer bytes = {0};
  SHA2_CTX context;
  if (is_nothing(profile))
    return skeleton;
  put_skeleton(profile, &bytes);
  SHA256Init(&context);
  SHA256Update(&context, bytes.bytes, bytes.size);
  SHA256Final(skeleton.digest, &context);
  contprof_byte_writer_free(&bytes);
  return skeleton;
}

static bool same(const struct skeleton *left, const struct skeleton *right) {
  return memcmp(left->digest, right->digest, sizeof left->digest) == 0;
}

// Those of ranks that have any. The same answer on all ranks.
static bool are_alike(const struct contprof_profile *profile, const struct skeleton *own) {
  static const struct skeleton NONE;
  struct skeleton first = *own;
  MPI_Bcast(&first, sizeof first, MPI_BYTE, 0, MPI_COMM_WORLD);
  bool other = !same(own, &NONE) && (!same(own, &first) || profile->trace_count);
  return !contprof_rank_any(other);
}

// --- by a tree ----------------------------------------------------------------------------------

typedef void wire_writer(const struct contprof_profile *, struct contprof_byte_writer *);
typedef bool wire_reader(struct contprof_profile *, const struct contprof_byte_writer *);

static void send(const struct contprof_profile *profile, wire_writer *put, int to, MPI_Comm ranks) {
  struct contprof_byte_writer bytes = {0};
  if (!is_nothing(profile))
    put(profile, &bytes);
  contprof_rank_send(&bytes, to, ranks);
  contprof_byte_writer_free(&bytes);
}

static bool receive(struct contprof_profile *profile, wire_reader *add, int from, MPI_Comm ranks) {
  struct contprof_byte_writer bytes = {0};
  contprof_rank_receive(&bytes, from, ranks);
  bool ok = !bytes.size || add(profile, &bytes);
  contprof_byte_writer_free(&bytes);
  return ok;
}

// Always with the next one that is left, so that the inputs stay in their order.
static bool climb(struct contprof_profile *profile, wire_writer *put, wire_reader *add,
                  MPI_Comm ranks) {
  int rank, size;
  bool ok = true;
  MPI_Comm_rank(ranks, &rank);
  MPI_Comm_size(ranks, &size);
  for (int step = 1; step < size; step *= 2) {
    if (rank % (2 * step)) {
      send(profile, put, rank - step, ranks);
      break;
    }
    if (rank + step < size)
      ok &= receive(profile, add, rank + step, ranks);
  }
  return ok;
}

// --- by MPI_Reduce ------------------------------------------------------------------------------

enum { PIECE = 1 << 27 }; // counters, or bytes, of one call

struct arrays {
  uint64_t *counts; // of all functions, one after the other; owned
  uint8_t *bits;    // their bitmaps likewise; owned
  size_t count, bit_bytes;
};

static struct arrays gather(const struct contprof_profile *profile) {
  struct arrays arrays = {0};
  for (size_t i = 0; i < profile->function_count; i++) {
    arrays.count += profile->functions[i]->counter_count;
    arrays.bit_bytes += profile->functions[i]->bitmap_size;
  }
  arrays.counts = contprof_need_array(NULL, arrays.count + 1, sizeof *arrays.counts);
  arrays.bits = contprof_need_array(NULL, arrays.bit_bytes + 1, 1);
  uint64_t *counts = arrays.counts;
  uint8_t *bits = arrays.bits;
  for (size_t i = 0; i < profile->function_count; i++) {
    const struct contprof_function *function = profile->functions[i];
    memcpy(counts, function->counters, function->counter_count * sizeof *counts);
    counts += function->counter_count;
    if (function->bitmap_size)
      memcpy(bits, function->bitmap, function->bitmap_size);
    bits += function->bitmap_size;
  }
  return arrays;
}

static void hand_out(const struct arrays *arrays, struct contprof_profile *profile) {
  const uint64_t *counts = arrays->counts;
  const uint8_t *bits = arrays->bits;
  for (size_t i = 0; i < profile->function_count; i++) {
    struct contprof_function *function = profile->functions[i];
    memcpy(function->counters, counts, function->counter_count * sizeof *counts);
    counts += function->counter_count;
    if (function->bitmap_size)
      memcpy(function->bitmap, bits, function->bitmap_size);
    bits += function->bitmap_size;
  }
}

// MPI_SUM would wrap.
static void add_counts(void *from, void *into, int *count, MPI_Datatype *type) {
  (void)type;
  contprof_add_counts(into, from, (size_t)*count, 1);
}

static void reduce(void *array, size_t count, size_t size, MPI_Datatype type, MPI_Op op,
                   MPI_Comm ranks) {
  int rank;
  MPI_Comm_rank(ranks, &rank);
  for (size_t at = 0; at < count; at += PIECE) {
    void *piece = (uint8_t *)array + at * size;
    int length = count - at < PIECE ? (int)(count - at) : PIECE;
    MPI_Reduce(rank ? piece : MPI_IN_PLACE, rank ? NULL : piece, length, type, op, 0, ranks);
  }
}

// A sum that was cut is the largest number; one that reached it by itself is taken for one.
static bool is_cut(const struct arrays *arrays) {
  for (size_t i = 0; i < arrays->count; i++)
    if (arrays->counts[i] >= CONTPROF_COUNT_MAX)
      return true;
  return false;
}

static bool reduce_counts(struct contprof_profile *profile, MPI_Comm ranks) {
  struct arrays arrays = gather(profile);
  MPI_Op add;
  MPI_Op_create(add_counts, 1, &add);
  reduce(arrays.counts, arrays.count, sizeof *arrays.counts, MPI_UINT64_T, add, ranks);
  reduce(arrays.bits, arrays.bit_bytes, 1, MPI_UINT8_T, MPI_BOR, ranks);
  MPI_Op_free(&add);
  bool ok = !is_cut(&arrays);
  hand_out(&arrays, profile);
  free(arrays.counts);
  free(arrays.bits);
  return ok;
}

// Among those that have a profile.
static bool reduce_alike(struct contprof_profile *profile) {
  MPI_Comm ranks;
  MPI_Comm_split(MPI_COMM_WORLD, is_nothing(profile) ? MPI_UNDEFINED : 0, 0, &ranks);
  if (ranks == MPI_COMM_NULL)
    return true;
  bool ok = reduce_counts(profile, ranks) &
            climb(profile, contprof_wire_put_values, contprof_wire_add_values, ranks);
  MPI_Comm_free(&ranks);
  return ok;
}

bool contprof_profile_reduce(struct contprof_profile *profile) {
  contprof_profile_sort(profile);
  struct skeleton own = skeleton_of(profile);
  return are_alike(profile, &own)
             ? reduce_alike(profile)
             : climb(profile, contprof_wire_put, contprof_wire_merge, MPI_COMM_WORLD);
}
