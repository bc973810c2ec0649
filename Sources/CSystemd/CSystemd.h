/* The few functions of sd-bus that this package calls, as types of pointers to them: libsystemd.so.0 is opened at run
 * time, so that the package needs neither its headers to build nor the library to run.
 *
 * Written from the manual pages sd-bus(3) and those it names. Every function has been in libsystemd since version 237,
 * the newest of them being sd_bus_is_ready. */
#ifndef REACHABILITY_CSYSTEMD_H
#define REACHABILITY_CSYSTEMD_H

#include <stdint.h>

struct sd_bus;
struct sd_bus_message;

/* The connection. Functions that return int give a negative errno on failure. */
typedef int (*sd_bus_new_function)(struct sd_bus **bus);
typedef int (*sd_bus_set_address_function)(struct sd_bus *bus, const char *address);
typedef int (*sd_bus_flag_function)(struct sd_bus *bus, int flag); /* sd_bus_set_bus_client, sd_bus_negotiate_fds */
typedef int (*sd_bus_query_function)(struct sd_bus *bus); /* sd_bus_start, _is_ready, _get_fd, _get_events */
typedef int (*sd_bus_get_timeout_function)(struct sd_bus *bus, uint64_t *microseconds);
typedef int (*sd_bus_process_function)(struct sd_bus *bus, struct sd_bus_message **message);
typedef int (*sd_bus_send_function)(struct sd_bus *bus, struct sd_bus_message *message, uint64_t *cookie);
typedef void (*sd_bus_close_function)(struct sd_bus *bus);
typedef struct sd_bus *(*sd_bus_unref_function)(struct sd_bus *bus);

/* Messages. */
typedef int (*sd_bus_message_new_method_call_function)(struct sd_bus *bus, struct sd_bus_message **message,
                                                       const char *destination, const char *path,
                                                       const char *interface, const char *member);
typedef int (*sd_bus_message_append_basic_function)(struct sd_bus_message *message, char type, const void *value);
typedef int (*sd_bus_message_seal_function)(struct sd_bus_message *message, uint64_t cookie, uint64_t microseconds);
typedef struct sd_bus_message *(*sd_bus_message_unref_function)(struct sd_bus_message *message);
typedef int (*sd_bus_message_get_type_function)(struct sd_bus_message *message, uint8_t *type);
typedef int (*sd_bus_message_get_reply_cookie_function)(struct sd_bus_message *message, uint64_t *cookie);
typedef const char *(*sd_bus_message_get_text_function)(struct sd_bus_message *message); /* _sender, _path, ... */
typedef int (*sd_bus_message_peek_type_function)(struct sd_bus_message *message, char *type, const char **contents);
typedef int (*sd_bus_message_read_basic_function)(struct sd_bus_message *message, char type, void *value);
typedef int (*sd_bus_message_enter_container_function)(struct sd_bus_message *message, char type,
                                                       const char *contents);
typedef int (*sd_bus_message_exit_container_function)(struct sd_bus_message *message);

#endif
