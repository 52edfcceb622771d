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
/// Makes a pipeline from a graph that was read from a run's records.
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

  /// A value that the program passes in: if it is not the recorded one, what reads it runs again.
  /// @throws Error{Errc::duplicate_name}
  template <class T>
  Stage<T> input(const InputOptions& options, T value);
  template <class T>
  Stage<T> input(Name name, T value) {
    return input(InputOptions{name}, std::move(value));
  }
  /// A literal is a std::string.
  Stage<std::string> input(const InputOptions& options, const char* text);
  Stage<std::string> input(Name name, const char* text) { return input(name, std::string{text}); }

  /// The value that an earlier call recorded; without one, the run stops: Errc::missing_input.
  template <class T>
  Stage<T> input(const InputOptions& options);
  template <class T>
  Stage<T> input(Name name) {
    return input<T>(InputOptions{name});
  }

  /// The files below `folder` (or the one file; by default the folder that an earlier call
  /// recorded) as an input. They are compared by content, not by date, and a plan names those that
  /// changed. They are read when a run or a plan begins. Links are followed. Hidden files and
  /// folders (`.name`) are left out. A plan and a report name anything else that is not read:
  /// sockets, pipes, devices, a link back to a folder that it is in. Errc::source_failed ends the
  /// run if something cannot be read, a link leads nowhere, a name is not UTF-8, or a file changes
  /// while it is read.
  Stage<std::vector<SourceFile>> files(const InputOptions& options,
                                       const std::filesystem::path& folder = {});
  Stage<std::vector<SourceFile>> files(Name name, const std::filesystem::path& folder = {});

  /// A value that is neither stored nor digested, such as a key or a connection; no stage runs
  /// again because it changed. If it is a string of 4 bytes or more, it is replaced in the messages
  /// of stages (exceptions and requests for approval): as it is, escaped as in URLs, JSON or XML,
  /// in hexadecimal and, if it has 7 bytes or more, in base64. So are its lines of 8 bytes or more.
  template <class T>
  Stage<T> secret(Name name, T value);

  /// Names fields of values that are never recorded and never shown. A field is a key, wherever it
  /// is in a value, such as `password`, or a JSON pointer from the value's root, in which `*`
  /// stands for any one part: `/users/*/token`. This applies to everything that is saved as JSON,
  /// CBOR or MessagePack: inputs, values, steps, states of loops, items of queues, the cache.
  ///
  /// In the record, a text in such a field is replaced by `[redacted]`, and anything else by null;
  /// the type must be able to hold that. Because stages get what was recorded, the field does not
  /// leave the function that made it: later stages, artifacts and a resumed run see `[redacted]`.
  /// Stages get an input as the program passed it; if a later call does not pass it again, the run
  /// stops with Errc::missing_input. A change of the field alone does not make a stage run again.
  /// Texts of 4 bytes and more that were in such fields are replaced in messages, as those of a
  /// secret() are. Item keys, and values of your own codecs, are not redacted. What was recorded
  /// before a field was declared stays until its run is removed.
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

  /// A fan-out whose items may add more items: `function` calls Context::enqueue() with elements of
  /// the list's type. The stage is done when all items are done. See queue.hpp.
  /// @throws what stage() throws; Error{Errc::bad_option} each() is over a fan-out, not over a list
  template <class F, class... In>
  auto queue(const StageOptions& options, Inputs<In...> inputs, F function);
  template <class F, class... In>
  auto queue(Name name, Inputs<In...> inputs, F function) {
    return queue(StageOptions{.name = name}, std::move(inputs), std::move(function));
  }

  /// A predicate over values, for StageOptions::when. Its result is recorded.
  template <class F, class... In>
  Condition condition(const InputOptions& options, Inputs<In...> inputs, F predicate);
  template <class F, class... In>
  Condition condition(Name name, Inputs<In...> inputs, F predicate) {
    return condition(InputOptions{name}, std::move(inputs), std::move(predicate));
  }

  /// Checks values of the stage (for a fan-out, of each item): `check` returns the problem as a
  /// text, or nothing (an empty std::optional<std::string>, or an empty text). A result with a
  /// problem is a failed attempt, which Retry repeats; an edit with a problem is refused. What
  /// `check` throws is handled as if the stage had thrown it.
  template <detail::StageHandle S, class F>
  void validate(const S& stage, F check) {
    using T = typename detail::Holds<S>::type;
    add_check(holder(stage), std::make_shared<const detail::CheckOf<T, F>>(std::move(check)));
  }

  /// Exports the value as indented JSON (text and files as they are) to `pattern` below the run's
  /// folder: `1-research.json`. For a fan-out there is one file per item, and `pattern` holds
  /// {item}, {item:slug} or {position:02}: `2-sections/{position:02}-{item}.md`. Several stages may
  /// write one path when each depends on the one before; the last completed one owns it.
  ///
  /// Users may edit the file: the next call to resume() makes the edited text the stage's value,
  /// says what was changed, and reruns what depends on it. An edit that cannot be read is refused.
  /// @throws Error{Errc::path_conflict}  two stages that do not depend on each other
  /// @throws Error{Errc::foreign_handle} a handle of another pipeline, or a fan-out's list
  /// @throws Error{Errc::bad_name}       the pattern leaves the folder or has an unknown field
  template <detail::StageHandle S>
  void artifact(const S& stage, std::string_view pattern) {
    add_artifact(holder(stage), pattern, nullptr);
  }

  /// The same with text made by `render`, a member or a callable, from the value (for a fan-out,
  /// from one item's value). It may return a std::optional: if that is empty, nothing is exported.
  template <detail::StageHandle S, class F>
  void artifact(const S& stage, std::string_view pattern, F render) {
    using T = typename detail::Holds<S>::type;
    constexpr bool renders = detail::may_give_text<const F, T>();
    static_assert(renders, "render must take the value and return text");
    if constexpr (renders) {
      add_artifact(holder(stage), pattern,
                   std::make_shared<const detail::TextOf<T, F>>(std::move(render)));
    }
  }
  /// The same for a file that users may edit: `parse` is the inverse of `render`. It is called with
  /// the text (a std::string), or with the text and the value before the edit, for what the file
  /// does not show. It returns the value, or throws a std::exception to say what is wrong. Without
  /// `parse` the file is a view: what users write there stays, and is not read back.
  template <detail::StageHandle S, class F, class P>
  void artifact(const S& stage, std::string_view pattern, F render, P parse) {
    using T = typename detail::Holds<S>::type;
    add_artifact(holder(stage), pattern,
                 std::make_shared<const detail::TextOf<T, F>>(std::move(render)),
                 std::make_shared<const detail::ValueOf<T, P>>(std::move(parse)));
  }

  /// Says how ResumeOptions::adopt makes the value of the stage (or of one item) from its first
  /// file: `read` takes a FoundFile and returns the value, or throws a std::exception to say what
  /// is wrong. Needed only if the file does not show the whole value; otherwise it is read in the
  /// same way as an edit.
  template <detail::StageHandle S, class F>
  void adopt_as(const S& stage, F read) {
    using T = typename detail::Holds<S>::type;
    add_adopt(holder(stage), std::make_shared<const detail::AdoptedAs<T, F>>(std::move(read)));
  }
  /// Says how to recognise that the stage was done: `shows` takes a FoundFile, and returns whether
  /// it has the stage's mark. For a fan-out, one file with the mark is enough. Needed only if
  /// several stages write one file in turn: the last stage whose mark is there, and all stages
  /// before it, count as done. Without this, a file is the mark by itself.
  template <detail::StageHandle S, class F>
  void adopt_if(const S& stage, F shows) {
    add_adopt_if(holder(stage), [shows = std::move(shows)](const FoundFile& file) -> bool {
      return detail::call_hook("adopt_if()", [&] { return std::invoke(shows, file); });
    });
  }

  /// Exports all items of a fan-out to one file: `render` returns an item's text (or an empty
  /// std::optional), which is appended as soon as all items before it, in their order, are done. An
  /// append costs only what it adds. If a kept item's text or position has changed, the file is
  /// rewritten at the end. Whatever a killed process left after the last whole text is cut off; a
  /// copy is kept unless the bytes are known to be the library's own.
  ///
  /// Without `parse` the file must not be edited: if it was, the run is refused and the file stays
  /// as it is.
  /// @throws Error as artifact(); Error{Errc::bad_name}  `path` has a field
  template <class R, class F>
  void append(const FanOut<R>& stage, std::string_view path, F render) {
    constexpr bool renders = detail::may_give_text<const F, R>();
    static_assert(renders, "render must take one item's value and return text");
    if constexpr (renders) {
      add_appended(holder(stage), path,
                   std::make_shared<const detail::TextOf<R, F>>(std::move(render)));
    }
  }
  /// The same for a file that users may edit: `parse` is the inverse of `render`, as in artifact().
  /// A change within one item's text becomes the value of that item alone. If a change could belong
  /// to several items, it belongs to the one for which `parse` accepts the text; if that does not
  /// decide it, the run is refused and the file stays as it is. If an item's text was deleted, it
  /// is restored. If `render` returns another text than the user wrote, the file gets that text,
  /// and a copy of the user's is kept.
  template <class R, class F, class P>
  void append(const FanOut<R>& stage, std::string_view path, F render, P parse) {
    add_appended(holder(stage), path,
                 std::make_shared<const detail::TextOf<R, F>>(std::move(render)),
                 std::make_shared<const detail::ValueOf<R, P>>(std::move(parse)));
  }

 private:
  friend const detail::Graph& detail::graph_of(const Pipeline& pipeline) noexcept;
  friend Pipeline detail::pipeline_of(std::shared_ptr<detail::Graph> graph);
  explicit Pipeline(std::shared_ptr<detail::Graph> graph) noexcept : graph_(std::move(graph)) {}
  detail::Handle add_input(const InputOptions& options, const detail::ValueType& type,
                           detail::AnyValue given);
  template <class F, class... In>
  auto add_stage(const StageOptions& options, Inputs<In...> inputs, F function);
  template <class F>
  auto add_stage(const StageOptions& options, F function) {
    return add_stage(options, Inputs<>{}, std::move(function));
  }
  detail::Handle add(detail::Node node);

  /// A stage and the type that its handle says one checkpoint of it holds. Another type than that
  /// of the stage is refused: the functions that are kept would read a value as what it is not.
  struct Holder {
    detail::Handle stage;
    const detail::ValueType* type;
  };
  template <class S>
  [[nodiscard]] static Holder holder(const S& stage) {
    return {stage.handle(), &detail::type_held<typename detail::Holds<S>::type>()};
  }
  void add_artifact(const Holder& stage, std::string_view pattern,
                    std::shared_ptr<const detail::Render> render,
                    std::shared_ptr<const detail::Parse> parse = nullptr);
  void add_check(const Holder& stage, std::shared_ptr<const detail::Check> check);
  void add_adopt(const Holder& stage, std::shared_ptr<const detail::Adopt> read);
  void add_adopt_if(const Holder& stage, std::function<bool(const FoundFile&)> shows);

  detail::Node& held_by(const Holder& stage, std::string_view what);
  detail::Node& exporter(const Holder& stage, const core::Pattern& pattern);
  void add_appended(const Holder& stage, std::string_view path,
                    std::shared_ptr<const detail::Render> render,
                    std::shared_ptr<const detail::Parse> parse = nullptr);

  std::shared_ptr<detail::Graph> graph_;  ///< shared with reports, which may outlive this
};

}  // namespace v0
}  // namespace resumable

#include "resumable/detail/pipeline.hpp"  // IWYU pragma: export
