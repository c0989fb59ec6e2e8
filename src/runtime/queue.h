/* queue.h - AQL queues: rings of 64-byte packets, a doorbell, and the packet processor that empties them.
 *
 * Record, doorbell and ring are in memory that kernels reach, for a kernel may enqueue packets too. So the processor
 * trusts none of it: it keeps its own size, base and read index, copies a packet before it looks at it, and checks
 * every address in the copy against the memory map before it follows it. A failed check stops the queue, with an error
 * that says why. */
#ifndef OG_QUEUE_H
#define OG_QUEUE_H

#include "runtime/signal.h"

enum og_packet_type {
  OG_PACKET_VENDOR, OG_PACKET_INVALID, OG_PACKET_DISPATCH, OG_PACKET_BARRIER_AND, OG_PACKET_AGENT, OG_PACKET_BARRIER_OR
};
enum og_packet_header { /* bits of the header */
  OG_HEADER_TYPE = 0xff, OG_HEADER_BARRIER = 1 << 8, OG_HEADER_ACQUIRE = 3 << 9, OG_HEADER_RELEASE = 3 << 11
};

/* hsa_kernel_dispatch_packet_t */
struct og_dispatch_packet {
  uint16_t header, setup; /* setup: dimensions in bits 0 and 1 */
  uint16_t group[3], reserved0;
  uint32_t grid[3];
  uint32_t private_bytes, group_bytes; /* per work-item; per work-group */
  uint64_t kernel_object, kernarg;
  uint64_t reserved2, completion;
};
_Static_assert(sizeof(struct og_dispatch_packet) == 64, "an AQL packet is 64 bytes");

/* hsa_barrier_and_packet_t, hsa_barrier_or_packet_t */
struct og_barrier_packet {
  uint16_t header, reserved0;
  uint32_t reserved1;
  uint64_t dependencies[5]; /* signals; 0: none */
  uint64_t reserved2, completion;
};
_Static_assert(sizeof(struct og_barrier_packet) == 64, "an AQL packet is 64 bytes");

/* hsa_amd_barrier_value_packet_t: a vendor packet that waits until the signal's value & mask meets the condition. */
struct og_barrier_value_packet {
  uint16_t header;
  uint8_t format, reserved;
  uint32_t reserved0;
  uint64_t signal;
  int64_t value, mask;
  uint32_t condition, reserved1;
  uint64_t reserved2, reserved3, completion;
};
_Static_assert(sizeof(struct og_barrier_value_packet) == 64, "an AQL packet is 64 bytes");

/* hsa_amd_ext_kernel_dispatch_packet_t: a vendor packet that dispatches whole clusters of work-groups. */
struct og_cluster_packet {
  uint16_t header;
  uint8_t format, setup;
  uint16_t group[3], reserved0;
  uint32_t clusters_x;
  uint16_t clusters_y, clusters_z;
  uint8_t cluster[3]; /* in work-groups */
  uint8_t hint;
  uint32_t private_bytes, group_bytes;
  uint64_t kernel_object, kernarg;
  uint64_t dependency; /* a signal that has to be 0 before the dispatch begins; 0: none */
  uint64_t completion;
};
_Static_assert(sizeof(struct og_cluster_packet) == 64, "an AQL packet is 64 bytes");
enum og_vendor_format { OG_VENDOR_PM4 = 1 /* pm4.h */, OG_VENDOR_BARRIER_VALUE, OG_VENDOR_DISPATCH };

union og_packet {
  uint32_t first; /* header and setup: written last, and together */
  uint64_t words[8];
  struct og_dispatch_packet dispatch;
  struct og_barrier_packet barrier;
  struct og_barrier_value_packet barrier_value;
  struct og_cluster_packet clusters;
};

/* What a queue handle and a kernel's queue pointer point to (hsa_queue_t, amd_queue_t). */
struct og_queue_record {
  uint32_t type, features;
  uint64_t base;     /* of union og_packet[size] */
  uint64_t doorbell; /* a signal's address */
  uint32_t size, reserved1;
  uint64_t id;
  uint32_t reserved2[4];
  uint64_t write_index;
  uint32_t group_aperture_hi, private_aperture_hi; /* high halves of the LDS and scratch apertures' bases */
  uint32_t max_cu_id, max_wave_id;
  uint64_t max_legacy_doorbell;
  uint32_t legacy_doorbell_lock, reserved3[9];
  uint64_t read_index;
  uint32_t read_index_offset, compute_tmpring_size;
  uint32_t scratch_descriptor[4];
  uint64_t scratch_memory, scratch_bytes;
  uint32_t scratch_bytes_per_item, properties, reserved4[2];
  uint64_t inactive_signal;
  uint32_t reserved5[14];
};
_Static_assert(sizeof(struct og_queue_record) == 256, "amd_queue_t is 256 bytes");

struct og_queue;

/* Runs one kernel dispatch to its end; false if it failed, with the reason kept in `context`. `packet` is the queue's
 * own copy; the packet itself is at `slot`, in memory that kernels write. `cluster`: sizes from a cluster packet; NULL:
 * it is no such packet. Ends early when *cancel, read atomically, is not 0. */
typedef bool og_dispatcher(void *context, struct og_queue *queue, const struct og_dispatch_packet *packet,
                           const uint8_t cluster[3], uint64_t slot, uint64_t index, const int *cancel);
/* Whether kernels may read (and write, if `write`) all of [address, address + size). */
typedef bool og_reaches(void *context, uint64_t address, uint64_t size, bool write);

/* Called once, by the packet processor's thread at its end, if the queue stopped without being cancelled. It must not
 * free the queue. */
typedef void og_stopped(void *context, struct og_queue *queue);

/* Called by the packet processor for each packet, with its own copy: when it takes it up and, before its completion
 * signal, when it has ended. */
typedef void og_packet_watch(void *context, const union og_packet *packet, uint64_t index, bool ended);

/* How the doorbell rings: by its own value, or through a pointer in it to a hardware word; for gfx8 and before with the
 * older protocol. */
enum og_doorbell { OG_DOORBELL_VALUE = 1, OG_DOORBELL_HARDWARE = -1, OG_DOORBELL_LEGACY = -2 };

struct og_queue_options {
  uint32_t size;             /* number of packets, a power of two */
  uint32_t type;             /* hsa_queue_type_t: 0: several producers; 1: one producer; 2: for cooperative kernels */
  enum og_doorbell doorbell; /* 0 means by its value */
  uint32_t units, waves_per_unit;
  struct og_interrupts *interrupts; /* what kernels raise, or NULL */
  const unsigned *running;   /* number of running kernels that may write packets; read atomically. NULL: unknown */
  og_stopped *stopped;       /* this may be NULL, */
  og_packet_watch *packet;   /* and this too */
  void *watch_context;       /* for both */
  og_dispatcher *dispatcher;
  og_reaches *reaches;
  void *context;             /* for both */
  uint64_t group_aperture, private_aperture;
  uint64_t id;
};

/* A queue whose packets a thread of its own processes; NULL when memory or threads are short or the size is wrong. */
struct og_queue *og_queue_new(const struct og_queue_options *options);
/* Cancels what runs and ends the thread. */
void og_queue_free(struct og_queue *queue);
struct og_queue_record *og_queue_record(struct og_queue *queue);
void *og_queue_context(const struct og_queue *queue); /* The context in its options. */
/* The mapping that holds what kernels see. */
void *og_queue_memory(struct og_queue *queue, size_t *size);
/* Ends the running dispatch and everything behind it; the queue takes nothing more. Signal handlers may call it. */
void og_queue_cancel(struct og_queue *queue);
bool og_queue_cancelled(const struct og_queue *queue);
/* True if a packet was wrong, a dispatch failed or the queue was cancelled: then it takes nothing more. */
bool og_queue_stopped(const struct og_queue *queue);
enum og_queue_failure { OG_QUEUE_FINE, OG_QUEUE_BAD_PACKET, OG_QUEUE_BAD_INDEX, OG_QUEUE_BAD_DISPATCH,
                       OG_QUEUE_CANCELLED };
/* Why the queue has stopped; to be asked only then. */
enum og_queue_failure og_queue_failure(const struct og_queue *queue);
/* Whether there is a packet in an index's slot that has not been processed yet. */
bool og_queue_holds(const struct og_queue *queue, uint64_t index);
/* Rings the doorbell for the host: a packet was written. */
void og_queue_ring(struct og_queue *queue, int64_t index);
/* What was wrong with a packet, or with the indices that kernels write; NULL: nothing, or the queue still runs. */
const char *og_queue_error(const struct og_queue *queue);

/* Acts as producer: waits for a free slot, copies `packet` into it, its header last, and rings the doorbell. False if
 * the queue has stopped. */
bool og_queue_submit(struct og_queue *queue, const union og_packet *packet);

enum og_queue_state {
  OG_QUEUE_BUSY,    /* the time is over */
  OG_QUEUE_IDLE,    /* every packet is processed, also those that kernels enqueued */
  OG_QUEUE_WANTING, /* idle, except for a slot that was taken but got no packet */
  OG_QUEUE_STOPPED,
};
/* Waits until the queue is not busy, at most so many nanoseconds. */
enum og_queue_state og_queue_wait(struct og_queue *queue, uint64_t nanoseconds);

#endif
