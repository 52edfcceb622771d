/// @file
/// Renders the files of one stage or item and puts them in their places.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/graph.hpp"
#include "exports/folder.hpp"
#include "record/draft.hpp"
#include "record/events.hpp"
#include "record/recorder.hpp"
#include "resumable/observer.hpp"

namespace resumable::exports {

/// A file that a stage or item exports, and what is there now.
struct Target {
  std::string path;
  std::optional<Digest> on_disk;
  std::optional<core::Export> previous;  ///< what this stage's last record exported there
  bool taken_over = false;               ///< a later stage's version is there now
  bool edited = false;                   ///< what is there is a user's
  [[nodiscard]] bool had_file() const { return previous && !previous->is_nothing(); }
};

/// All files of one stage or item. Settled by the executor's thread, before a worker gets it.
struct Targets {
  std::vector<Target> files;                ///< by place among the stage's artifacts
  std::vector<core::Export> left;           ///< of its last record, at paths that it has no more
  std::vector<core::Export> left_in_place;  ///< of these, those whose file is still there
};

/// The stage or item that a file is made from.
struct Subject {
  std::uint32_t node = 0;
  std::string item;
};

/// Safe to use from several threads, for different stages and items.
class Publisher {
 public:
  struct Tools {
    const detail::Graph& graph;
    record::Recorder& recorder;
    record::Events& events;
    Folder& folder;
  };
  explicit Publisher(Tools tools) : tools_(tools) {}

  using Texts = std::vector<std::optional<std::string>>;  ///< by place in Targets::files

  /// A file's full path, for messages.
  [[nodiscard]] std::string file(std::string_view path) const { return tools_.folder.full(path); }
  /// Renders before the commit: the draft names what it exports, and a throw fails the attempt.
  /// @throws what the program's renderers and encoders throw
  Texts render(std::uint32_t node, Targets& targets, const void* value, record::Draft& draft) const;
  /// The same for a value that was made of the files which are there: these stay as they are, and
  /// are durable when it returns. @throws as render(); Error{Errc::store_failed}
  Texts keep(std::uint32_t node, Targets& targets, const void* value, record::Draft& draft) const;
  /// Puts into the draft which earlier exports are known to be in place.
  void announce(const Targets& targets, record::Draft& draft) const;
  /// After the commit of that draft, whose exports are `wanted`. Adds to `done` what is in place,
  /// also when it throws. @throws Error as put()
  void publish(const Subject& subject, const Targets& targets,
               const std::vector<core::Export>& wanted, const Texts& texts,
               std::vector<core::Export>& done) const;
  /// Keeps a copy of what a user has written at a path that will be replaced, before the commit:
  /// from then on the file counts as ours. @throws Error{Errc::store_failed}
  void keep_edited(const Subject& subject, const Target& target) const;
  /// Puts one file in its place, durably, and emits an event of this kind. `order` is that of the
  /// record's export.
  /// @return what is to be noted as in place; nullopt when a user has edited the file since it was
  ///         checked: it stays, a warning says so, and the next call adopts the edit
  /// @throws Error{Errc::edited}  a file is where there was none; Error{Errc::store_failed}
  std::optional<core::Export> put(const Subject& subject, const Target& target,
                                  const std::string& text, std::uint64_t order,
                                  EventKind kind) const;

 private:
  Tools tools_;
};

/// Reports, by an event and a warning, that a user has edited a file during the run.
void tell_edited(record::Events& events, const std::string& stage, const std::string& item,
                 const std::string& file);

/// The bytes of an artifact: what `render` makes, or the value as indented JSON, or text as it is.
/// nullopt: the value has none.
[[nodiscard]] std::optional<std::string> render_artifact(const detail::Artifact& artifact,
                                                         const detail::ValueType& type,
                                                         const void* value);

}  // namespace resumable::exports
