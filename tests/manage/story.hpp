/// @file
/// A small run for tests of what is done to runs: a chain, a fan-out, a step, an effect, artifacts.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "manage/broken.hpp"
#include "resumable/manage.hpp"
#include "resumable/resumable.hpp"
#include "run/run_support.hpp"
#include "store/records.hpp"

namespace resumable::test {

/// topic -> outline -> parts (an item per line of the outline) -> whole; notes depend on the topic.
struct Story {
  std::string topic = "sea";
  std::string style = "plain";  ///< what parts are made with
  std::vector<std::string> lines{"a", "b"};
  Calls* calls = nullptr;

  [[nodiscard]] Pipeline pipeline() const {
    Pipeline p{"story"};
    const auto said = p.input("topic", topic);
    const auto with = p.input("style", style);
    const auto all = p.input("lines", lines);
    const auto outline = p.stage("outline", inputs(said, all),
                                 [*this](const std::string& of, std::vector<std::string> list) {
                                   called("outline");
                                   for (std::string& line : list) line += " " + of;
                                   return list;
                                 });
    const auto parts =
        p.stage("parts", inputs(each(outline), with),
                [*this](Context& ctx, const std::string& line, const std::string& how) {
                  called("parts");
                  return Text{ctx.step("words", [&] { return line + " " + how; })};
                });
    const auto whole = p.stage("whole", inputs(parts), [*this](const std::vector<Text>& of) {
      called("whole");
      std::string text;
      for (const Text& one : of) text += one.text + "\n";
      return Text{text};
    });
    const auto notes = p.stage("notes", inputs(said), [*this](const std::string& of) {
      called("notes");
      return Text{"notes on " + of};
    });
    p.artifact(outline, "outline.json");
    p.artifact(parts, "parts/{position:02}.md");
    p.artifact(whole, "whole.md");
    p.artifact(notes, "notes.md");
    return p;
  }

  Report run(CheckpointStore& store, const std::string& id = "r",
             sys::FileSystem* files = nullptr) const {
    const record::TestEnvironment environment{{.file_system = files}};
    const Pipeline p = pipeline();
    return resume(p, store, {.run = id});
  }

 private:
  void called(const char* what) const {
    if (calls != nullptr) (*calls)(what);
  }
};

/// All whole records of a run: `path.generation` to tag, header and payload.
[[nodiscard]] inline std::map<std::string, std::string> contents(const CheckpointStore& store,
                                                                 std::string_view run) {
  std::map<std::string, std::string> all;
  store.scan(run, {.headers = true}, [&](const RecordHead& head) {
    const auto stored = store.get(run, head.id);
    std::string text{reinterpret_cast<const char*>(head.tag.raw.data()), head.tag.raw.size()};
    if (stored) text += stored->header + read_all(*stored->payload);
    all[std::string{head.id.path} + "." + std::to_string(head.id.generation)] = digest(text).hex();
    return true;
  });
  return all;
}

/// What a call throws.
template <class Call>
[[nodiscard]] Errc errc_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_FALSE(error.info().next.empty()) << error.explain();
    return error.errc();
  }
  return Errc{};
}

}  // namespace resumable::test
