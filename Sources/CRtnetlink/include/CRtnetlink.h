// The headers for rtnetlink, socket filters, epoll, eventfd, signalfd and timerfd, which Swift's Glibc module leaves out, and the few of
// their macros that Swift cannot import because they cast or take arguments.
#ifndef CRTNETLINK_H
#define CRTNETLINK_H

#include <linux/filter.h>
#include <linux/if_addr.h>
#include <linux/if_link.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>

// SKF_AD_OFF and SKF_AD_NLATTR (linux/filter.h): a load at this place finds a netlink attribute by its type.
static const unsigned int REACHABILITY_FILTER_FIND_ATTRIBUTE = (unsigned int)(SKF_AD_OFF + SKF_AD_NLATTR);

#endif
