#include "stage/enqueuing.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/key.hpp"
#include "core/record_format.hpp"
#include "core/text.hpp"
#include "resumable/error.hpp"
#include "value/redaction.hpp"

namespace resumable::stage {

const detail::ListOps& elements_of(const detail::Node& queue) {
  const auto each = std::find_if(queue.args.begin(), queue.args.end(), [](const detail::Arg& arg) {
    return arg.kind == detail::ArgKind::each;
  });
  return *each->list;
}

void Enqueuing::add(const detail::EnqueueCall& call) {
  if (!node_.grows || elements_of(node_).element != &call.type) {
    throw Error(
        Errc::bad_option,
        {.what = fmt::format("stage '{}' {}", node_.shown(),
                             node_.grows ? "enqueues an element of another type"
                                         : "enqueues an element, but is not a queue"),
         .stage = node_.shown(),
         .item = item_,
         .next = "declare it by Pipeline::queue(), and enqueue elements of its list's type"});
  }
  plan::Enqueued::Element element;
  element.key = (*elements_of(node_).key)(call.element).value();
  core::check_item_key(node_.shown(), element.key);
  element.payload = value::encode(graph_, call.type, call.element);
  element.digest = core::digest_of(*element.payload);
  const std::scoped_lock lock{guard_};
  const auto [same, fresh] = places_.emplace(element.key, elements_.size());
  if (fresh) {
    elements_.push_back(std::move(element));
  } else if (elements_[same->second].digest != element.digest) {
    throw Error(Errc::duplicate_name,
                {.what = fmt::format("queue '{}' gets two items with the key '{}' and different "
                                     "content",
                                     node_.shown(), core::printable(element.key)),
                 .stage = node_.shown(),
                 .item = item_,
                 .next = "give different elements different keys"});
  }
}

void Enqueuing::clear() {
  const std::scoped_lock lock{guard_};
  elements_.clear();
  places_.clear();
}

std::vector<plan::Enqueued::Element> Enqueuing::elements() const {
  const std::scoped_lock lock{guard_};
  return elements_;
}

}  // namespace resumable::stage
