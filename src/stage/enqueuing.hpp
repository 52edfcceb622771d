/// @file
/// What the attempt of an item has enqueued so far.
#pragma once

#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "plan/facts.hpp"
#include "resumable/detail/node.hpp"
#include "resumable/queue.hpp"

namespace resumable {
inline namespace v0 {
namespace detail {
class Graph;
}
}  // namespace v0
}  // namespace resumable

namespace resumable::stage {

/// Safe to use from several threads.
class Enqueuing {
 public:
  Enqueuing(const detail::Graph& graph, const detail::Node& node, std::string item)
      : graph_(graph), node_(node), item_(std::move(item)) {}

  /// @throws Error as Context::enqueue()
  void add(const detail::EnqueueCall& call);
  /// Before each attempt.
  void clear();
  [[nodiscard]] std::vector<plan::Enqueued::Element> elements() const;

 private:
  const detail::Graph& graph_;
  const detail::Node& node_;
  std::string item_;
  mutable std::mutex guard_;
  std::vector<plan::Enqueued::Element> elements_;
  std::unordered_map<std::string, std::size_t> places_;  ///< by key
};

/// How the elements of a queue are taken apart.
[[nodiscard]] const detail::ListOps& elements_of(const detail::Node& queue);

}  // namespace resumable::stage
