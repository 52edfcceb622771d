/// @file
/// Pipeline: the named graph of stages that a program declares.
///
///     namespace rs = resumable;
///     rs::Pipeline memo{"memo"};
///     const auto company = memo.input("company", std::string{"Fernstone"});
///     const auto deck    = memo.stage("deck", inputs(company), analyse_deck);
///     const auto draft   = memo.stage("draft", inputs(company, deck), write_draft);
///
/// Functions are called through const references, from several threads if the run allows it.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

// clang-format off: first, which keeps the compilers' notes about inputs() short.
#include "resumable/stage.hpp"
// clang-format on

#include "resumable/codec.hpp"
#include "resumable/context.hpp"
#include "resumable/detail/declaration.hpp"
#include "resumable/detail/node.hpp"
#include "resumable/export.hpp"
#include "resumable/handle.hpp"
#include "resumable/name.hpp"
#include "resumable/source_file.hpp"
#include "resumable/stage_options.hpp"
#include "resumable/step.hpp"

namespace resumable::core {
class Pattern;
}

namespace resumable {
inline namespace v0 {

class Pipeline;
namespace detail {
class Graph;
[[nodiscard]] const Graph& graph_of(const Pipeline& pipeline) noexcept;
/// For a graph that was read from a run's records.
[[nodiscard]] Pipeline pipeline_of(std::shared_ptr<Graph> graph);
}  // namespace detail

/// A graph of typed stages. Declare it completely, then pass it to resume() or ResumePlanner; it
/// must outlive them and their results. Not safe to change from several threads; safe to run from
/// several.
class RESUMABLE_EXPORT Pipeline {
 public:
  /// A run belongs to the pipeline with this name, and no other can resume it: do not rename it.
  explicit Pipeline(Name name);
  ~Pipeline();
  Pipeline(Pipeline&&) noexcept;
  Pipeline& operator=(Pipeline&&) noexcept;

  /// A value that the program passes in. If it differs from the recorded one, the stages that read
  /// it are stale.
  /// @throws Error{Errc::duplicate_name}
  template <class T>
  Stage<T> input(Name name, T value);
  /// A literal is a std::string.
  Stage<std::string> input(Name name, const char* text) { return input(name, std::string{text}); }

  /// A value that an earlier call to resume() recorded; the run stops with Errc::missing_input when
  /// there is none.
  template <class T>
  Stage<T> input(Name name);

  /// The files below `folder` (or the one file), an input by content: dates do not matter, and a
  /// plan names the files that changed. They are read when a run or a plan begins. Hidden files are
  /// left out. Read errors end the run with Errc::source_failed.
  Stage<std::vector<SourceFile>> files(Name name, const std::filesystem::path& folder);
  /// The folder that an earlier call to resume() recorded.
  Stage<std::vector<SourceFile>> files(Name name);

  /// A value that is neither stored nor digested and makes nothing stale: a key, a connection. Text
  /// of 4 bytes or more is replaced in the messages of stages: exceptions and requests for
  /// approval.
  template <class T>
  Stage<T> secret(Name name, T value);

  /// Fields of values that are never recorded and never shown. A field is a key, wherever it is in
  /// a value, such as `password`, or a JSON pointer from the value's root, in which `*` is any
  /// step: `/users/*/token`. It concerns all that is kept as JSON, CBOR or MessagePack: inputs,
  /// values, steps, states of loops, items of queues, the cache.
  ///
  /// Where a value has such a field, its record has the text `[redacted]` in the place of a text,
  /// and null in that of anything else; the type must be able to hold that. As stages get what is
  /// recorded, the field does not leave the function that made it: later stages, artifacts and a
  /// resumed run find `[redacted]`. Stages get an input as the program has given it; where it is
  /// not given again, the run stops with Errc::missing_input. A change of the field alone makes
  /// nothing stale. Texts of 4 bytes and more that were in such fields are replaced in messages, as
  /// those of a secret() are. Keys of items, and values of codecs of your own, are not looked at.
  /// What was recorded before a field was named stays until its run is removed.
  /// @throws Error{Errc::bad_option}  an empty field
  void redact(const std::vector<std::string>& fields);

  /// Declares a stage: `stage(name, inputs(…), function)`, or `stage(name, function)` for one
  /// without inputs. `function` takes the inputs' values by const reference, in order, and may take
  /// a Context& first. Returns a Stage<R> if `function` returns an R; with each() among the inputs,
  /// `function` is called once per item, and a FanOut<R> is returned.
  /// @throws Error{Errc::duplicate_name}, Error{Errc::foreign_handle}, Error{Errc::bad_option}
  template <class... NotOverloaded>
  auto stage(Name name, NotOverloaded&&... inputs_and_function) {
    return stage(StageOptions{.name = name}, std::forward<NotOverloaded>(inputs_and_function)...);
  }
  template <class... NotOverloaded>
  auto stage(const StageOptions& options, NotOverloaded&&... inputs_and_function) {
    constexpr bool is_declaration = detail::is_declaration<NotOverloaded...>;
    static_assert(is_declaration,
                  "a stage is declared by stage(name, inputs(...), function), or by "
                  "stage(name, function) when it has no inputs");
    if constexpr (is_declaration) {
      return add_stage(options, std::forward<NotOverloaded>(inputs_and_function)...);
    } else {
      return Stage<detail::Anything>{detail::Handle{}};
    }
  }

  /// A fan-out over a list whose items may add items: `function` calls Context::enqueue() with
  /// elements of the list's type. It ends when all items are done. See queue.hpp.
  /// @throws Error as stage(); Error{Errc::bad_option}  each() is over a fan-out, not over a list
  template <class F, class... In>
  auto queue(const StageOptions& options, Inputs<In...> inputs, F function);
  template <class F, class... In>
  auto queue(Name name, Inputs<In...> inputs, F function) {
    return queue(StageOptions{.name = name}, std::move(inputs), std::move(function));
  }

  /// A predicate over values, for StageOptions::when. Its result is recorded.
  template <class F, class... In>
  Condition condition(Name name, Inputs<In...> inputs, F predicate);

  /// Says which values of the stage (of one item, for a fan-out) are good: `check` returns the
  /// problem as a text, or nothing (a std::optional<std::string>, or an empty text). A result with
  /// a problem is a failed attempt, which Retry repeats; an edit with one is refused. What `check`
  /// throws is handled as if the stage had thrown it.
  template <class T, class F>
  void validate(const Stage<T>& stage, F check) {
    add_check(stage.handle(), std::make_shared<const detail::CheckOf<T, F>>(std::move(check)));
  }
  template <class R, class F>
  void validate(const FanOut<R>& stage, F check) {
    add_check(stage.handle(), std::make_shared<const detail::CheckOf<R, F>>(std::move(check)));
  }

  /// Exports the value as indented JSON (text and files as they are) to `pattern` below the run's
  /// folder: `1-research.json`. For a fan-out there is one file per item, and `pattern` holds
  /// {item}, {item:slug} or {position:02}: `2-sections/{position:02}-{item}.md`. Several stages may
  /// write one path when each depends on the one before; the last completed one owns it.
  ///
  /// Users may edit the file: the next call to resume() makes the edited text the stage's value,
  /// says what was changed, and reruns what depends on it. What cannot be read is refused.
  /// @throws Error{Errc::path_conflict}  two stages that do not depend on each other
  /// @throws Error{Errc::bad_name}       the pattern leaves the folder or has an unknown field
  template <class T>
  void artifact(const Stage<T>& stage, std::string_view pattern) {
    add_artifact(stage.handle(), pattern, nullptr);
  }

  /// The same with text made by `render`, a member or callable on the value (on one item's value
  /// for a fan-out). It may return a std::optional: nothing is exported for a value without text.
  template <class T, class F>
  void artifact(const Stage<T>& stage, std::string_view pattern, F render) {
    constexpr bool renders = detail::may_give_text<const F, T>();
    static_assert(renders, "render is called with the value and gives text");
    if constexpr (renders) {
      add_artifact(stage.handle(), pattern,
                   std::make_shared<const detail::TextOf<T, F>>(std::move(render)));
    }
  }
  /// The same for users to edit: `parse` is the inverse of `render`. It is called with the text (a
  /// std::string), or with the text and the value before the edit, which has what the file does not
  /// show. It returns the value, or throws a std::exception to say what is wrong. Without it the
  /// file is a view: what users write there stays, and is not read back.
  template <class T, class F, class P>
  void artifact(const Stage<T>& stage, std::string_view pattern, F render, P parse) {
    add_artifact(stage.handle(), pattern,
                 std::make_shared<const detail::TextOf<T, F>>(std::move(render)),
                 std::make_shared<const detail::ValueOf<T, P>>(std::move(parse)));
  }
  template <class R, class F, class P>
  void artifact(const FanOut<R>& stage, std::string_view pattern, F render, P parse) {
    add_artifact(stage.handle(), pattern,
                 std::make_shared<const detail::TextOf<R, F>>(std::move(render)),
                 std::make_shared<const detail::ValueOf<R, P>>(std::move(parse)));
  }
  template <class R, class F>
  void artifact(const FanOut<R>& stage, std::string_view pattern, F render) {
    constexpr bool renders = detail::may_give_text<const F, R>();
    static_assert(renders, "render is called with one item's value and gives text");
    if constexpr (renders) {
      add_artifact(stage.handle(), pattern,
                   std::make_shared<const detail::TextOf<R, F>>(std::move(render)));
    }
  }

  /// How ResumeOptions::adopt makes the value of the stage (of one item) out of its first file:
  /// `read` takes a FoundFile and returns the value, or throws a std::exception to say what is
  /// wrong. Needed where the file does not show the whole value. Otherwise it is read as an edit
  /// is.
  template <class T, class F>
  void adopt_as(const Stage<T>& stage, F read) {
    add_adopt(stage.handle(), std::make_shared<const detail::AdoptedAs<T, F>>(std::move(read)));
  }
  template <class R, class F>
  void adopt_as(const FanOut<R>& stage, F read) {
    add_adopt(stage.handle(), std::make_shared<const detail::AdoptedAs<R, F>>(std::move(read)));
  }
  /// What shows that the stage was done: `shows` takes a FoundFile, and returns whether it has the
  /// stage's mark. For a fan-out one file that has it is enough. Needed where several stages write
  /// one file in turn: the last one whose mark is there, and those before it, were done. Without it
  /// the file itself is the mark.
  template <class T, class F>
  void adopt_if(const Stage<T>& stage, F shows) {
    add_adopt_if(stage.handle(), std::function<bool(const FoundFile&)>{std::move(shows)});
  }
  template <class R, class F>
  void adopt_if(const FanOut<R>& stage, F shows) {
    add_adopt_if(stage.handle(), std::function<bool(const FoundFile&)>{std::move(shows)});
  }

  /// One file for all items of a fan-out: `render` gives an item's text (or nothing, as an
  /// optional), which is appended as soon as all items before it, in their order, are done. An
  /// append costs what it adds. When a kept item's text or place has changed, the file is rewritten
  /// at the end. Whatever a killed process left after the last whole text is cut off; a copy is
  /// kept of what is not known to be its own.
  ///
  /// Without `parse` the file is not for editing: a changed one is refused and stays as it is.
  /// @throws Error as artifact(); Error{Errc::bad_name}  `path` has a field
  template <class R, class F>
  void append(const FanOut<R>& stage, std::string_view path, F render) {
    constexpr bool renders = detail::may_give_text<const F, R>();
    static_assert(renders, "render is called with one item's value and gives text");
    if constexpr (renders) {
      add_appended(stage.handle(), path,
                   std::make_shared<const detail::TextOf<R, F>>(std::move(render)));
    }
  }
  /// The same for users to edit: `parse` is the inverse of `render`, as in artifact(). What was
  /// changed within one item's text becomes that item's value and no other's. A change that may be
  /// of several items is theirs by whose text `parse` accepts; one that still cannot be told is
  /// refused, and the file stays as it is. An item's text that is deleted comes back. Where
  /// `render` gives another text than the user has written, the file gets that, after a copy was
  /// kept.
  template <class R, class F, class P>
  void append(const FanOut<R>& stage, std::string_view path, F render, P parse) {
    add_appended(stage.handle(), path,
                 std::make_shared<const detail::TextOf<R, F>>(std::move(render)),
                 std::make_shared<const detail::ValueOf<R, P>>(std::move(parse)));
  }

 private:
  friend const detail::Graph& detail::graph_of(const Pipeline& pipeline) noexcept;
  friend Pipeline detail::pipeline_of(std::shared_ptr<detail::Graph> graph);
  explicit Pipeline(std::shared_ptr<detail::Graph> graph) noexcept : graph_(std::move(graph)) {}
  detail::Handle add_input(Name name, const detail::ValueType& type, detail::AnyValue given);
  template <class F, class... In>
  auto add_stage(const StageOptions& options, Inputs<In...> inputs, F function);
  template <class F>
  auto add_stage(const StageOptions& options, F function) {
    return add_stage(options, Inputs<>{}, std::move(function));
  }
  detail::Handle add(detail::Node node);
  void add_artifact(detail::Handle stage, std::string_view pattern,
                    std::shared_ptr<const detail::Render> render,
                    std::shared_ptr<const detail::Parse> parse = nullptr);
  void add_check(detail::Handle stage, std::shared_ptr<const detail::Check> check);
  void add_adopt(detail::Handle stage, std::shared_ptr<const detail::Adopt> read);
  void add_adopt_if(detail::Handle stage, std::function<bool(const FoundFile&)> shows);

  detail::Node& exporter(detail::Handle stage, const core::Pattern& pattern);
  void add_appended(detail::Handle stage, std::string_view path,
                    std::shared_ptr<const detail::Render> render,
                    std::shared_ptr<const detail::Parse> parse = nullptr);

  std::shared_ptr<detail::Graph> graph_;  ///< shared with reports, which may outlive this
};

}  // namespace v0
}  // namespace resumable

#include "resumable/detail/pipeline.hpp"  // IWYU pragma: export
