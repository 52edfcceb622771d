/// @file
/// Queues: fan-outs whose items may add more items.
///
///     const auto pages = crawl.queue("pages", inputs(each(seeds)),
///                                    [](rs::Context& ctx, const std::string& url) {
///       const Page page = fetch(url);
///       for (const std::string& link : page.links) ctx.enqueue(link);
///       return page;
///     });
///
/// What an item enqueues is committed together with its value: after a kill either both are
/// recorded or neither is. An element whose key is already in the queue is the same item, and runs
/// once; every item that enqueued it is recorded. Items are in the order of their parents, and
/// items of one parent are in the order in which they were enqueued, whichever finished first.
#pragma once

#include "resumable/codec.hpp"
#include "resumable/context.hpp"

namespace resumable {
inline namespace v0 {

namespace detail {

struct EnqueueCall {
  const ValueType& type;
  const void* element;
};

}  // namespace detail

template <class T>
void Context::enqueue(const T& element) {
  do_enqueue({detail::value_type<T>(), &element});
}

}  // namespace v0
}  // namespace resumable
