#include "CFloor.h"

#include <errno.h>
#include <linux/if.h>
#include <linux/rtnetlink.h>
#include <linux/sockios.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include <arpa/inet.h>

uint64_t floor_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t floor_cpu(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

int floor_open_request(void) {
    int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    struct sockaddr_nl address = {.nl_family = AF_NETLINK};
    if (fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof address) != 0) { close(fd); return -1; }
    return fd;
}

int floor_open_routes(void) {
    int fd = floor_open_request();
    int group = RTNLGRP_IPV4_ROUTE;
    if (fd >= 0 && setsockopt(fd, SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, &group, sizeof group) != 0) { close(fd); return -1; }
    // Long against the driver's start and the pause between two changes: it ends the wait after the last. (Netlink
    // knows no shutdown.)
    struct timeval patience = {.tv_usec = 400000};
    if (fd >= 0) setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    return fd;
}

struct request {
    struct nlmsghdr header;
    struct rtmsg route;
    char attributes[64];
};

static void add(struct request *r, unsigned short type, const void *value, unsigned short size) {
    struct rtattr *a = (struct rtattr *)((char *)r + NLMSG_ALIGN(r->header.nlmsg_len));
    a->rta_type = type;
    a->rta_len = RTA_LENGTH(size);
    memcpy(RTA_DATA(a), value, size);
    r->header.nlmsg_len = NLMSG_ALIGN(r->header.nlmsg_len) + RTA_ALIGN(a->rta_len);
}

uint64_t floor_lookups(int fd, uint32_t address, int count) {
    char answer[8192];
    uint32_t destination = htonl(address);
    uint64_t start = floor_now();
    for (int i = 0; i < count; i++) {
        struct request r = {.header = {.nlmsg_len = NLMSG_LENGTH(sizeof(struct rtmsg)), .nlmsg_type = RTM_GETROUTE, .nlmsg_flags = NLM_F_REQUEST},
                            .route = {.rtm_family = AF_INET, .rtm_dst_len = 32}};
        add(&r, RTA_DST, &destination, 4);
        if (send(fd, &r, r.header.nlmsg_len, 0) < 0) return 0;
        if (recv(fd, answer, sizeof answer, 0) < 0) return 0;
    }
    return floor_now() - start;
}

int floor_set_route(int fd, uint32_t destination, int prefix_length, int interface_index, int adds) {
    struct request r = {.header = {.nlmsg_len = NLMSG_LENGTH(sizeof(struct rtmsg)),
                                   .nlmsg_type = adds ? RTM_NEWROUTE : RTM_DELROUTE,
                                   .nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK | (adds ? NLM_F_CREATE : 0)},
                        .route = {.rtm_family = AF_INET, .rtm_dst_len = (unsigned char)prefix_length, .rtm_table = RT_TABLE_MAIN,
                                  .rtm_protocol = RTPROT_STATIC, .rtm_scope = RT_SCOPE_LINK, .rtm_type = RTN_UNICAST}};
    uint32_t network = htonl(destination);
    if (prefix_length > 0) add(&r, RTA_DST, &network, 4);
    add(&r, RTA_OIF, &interface_index, 4);
    if (send(fd, &r, r.header.nlmsg_len, 0) < 0) return -1;
    char answer[4096];
    if (recv(fd, answer, sizeof answer, 0) < 0) return -1;
    struct nlmsgerr *error = NLMSG_DATA((struct nlmsghdr *)answer);
    return error->error;
}

uint64_t floor_wait(int fd, int *removed) {
    char message[8192];
    ssize_t count = recv(fd, message, sizeof message, 0);
    if (count < 0 && errno != ENOBUFS) return 0;
    *removed = count >= (ssize_t)sizeof(struct nlmsghdr) && ((struct nlmsghdr *)message)->nlmsg_type == RTM_DELROUTE;
    return floor_now();
}

static uint32_t question(struct request *r, int family, const void *destination, unsigned char size, int entry) {
    *r = (struct request){.header = {.nlmsg_len = NLMSG_LENGTH(sizeof(struct rtmsg)), .nlmsg_type = RTM_GETROUTE, .nlmsg_flags = NLM_F_REQUEST},
                          .route = {.rtm_family = (unsigned char)family, .rtm_dst_len = size * 8, .rtm_flags = entry ? RTM_F_FIB_MATCH : 0}};
    add(r, RTA_DST, destination, size);
    return r->header.nlmsg_len;
}

// 1 if the next answer is a route.
static int answered(int fd) {
    char answer[8192];
    if (recv(fd, answer, sizeof answer, 0) < 0) return 0;
    return ((struct nlmsghdr *)answer)->nlmsg_type == RTM_NEWROUTE;
}

// Entry and packet of the first in one send if one is expected, then the entries of the others one by one.
static int family_has_default(int fd, int family, const unsigned char *probes, int count, unsigned char size, int expected) {
    char both[2 * sizeof(struct request)];
    struct request r;
    uint32_t first = question(&r, family, probes, size, 1);
    memcpy(both, &r, first);
    uint32_t second = question(&r, family, probes, size, 0);
    memcpy(both + first, &r, second);
    if (send(fd, both, expected ? first + second : first, 0) < 0) return 0;
    int found = answered(fd);
    if (expected) answered(fd);
    for (int i = 1; i < count && !found; i++) {
        uint32_t length = question(&r, family, probes + i * size, size, 1);
        if (send(fd, &r, length, 0) < 0) return 0;
        found = answered(fd);
    }
    return found;
}

int floor_ask_default(int fd, const char *link, int removed) {
    // As many as the evaluation asks about. Which they are is not the point (RFC 5737, RFC 3849).
    static const unsigned char v4[] = {192, 0, 2, 1, 198, 51, 100, 1, 203, 0, 113, 1, 203, 0, 113, 2};
    static const unsigned char v6[] = {0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1,
                                       0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2};
    if (removed) {
        struct ifconf counted = {0};
        ioctl(fd, SIOCGIFCONF, &counted);
    }
    if (!family_has_default(fd, AF_INET, v4, 4, 4, 1) && !family_has_default(fd, AF_INET6, v6, 2, 16, 0)) return 0;
    struct ifreq flags = {0};
    strncpy(flags.ifr_name, link, sizeof flags.ifr_name - 1);
    ioctl(fd, SIOCGIFFLAGS, &flags);
    return 1;
}
