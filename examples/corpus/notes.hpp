/// @file
/// What a person should know of the cache, beside the library's own lines.
#pragma once

#include <ostream>

#include <resumable/observer.hpp>

#include "corpus/pipeline.hpp"

namespace corpus {

/// Tells which expansions were not asked for, because the cache has them. What it has and cannot be
/// taken is told by the library.
class Notes final : public resumable::Observer {
 public:
  explicit Notes(std::ostream& err) : err_(err) {}

  void on_event(const resumable::Event& event) override {
    if (event.kind != resumable::EventKind::skipped || event.step != expand_step) return;
    err_ << "note: the expansion of " << event.item << " is in the cache\n";
  }

 private:
  std::ostream& err_;
};

}  // namespace corpus
