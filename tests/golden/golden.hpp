/// @file
/// The pipeline behind the golden stores: something of everything that a run can record.
///
/// Later versions of the library read what this version wrote, so stages, names and values stay as
/// they are. What a new layout adds gets a golden store of its own.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "resumable/resumable.hpp"

namespace resumable::test {

struct Company {
  std::string name;
  int founded = 0;
  std::vector<std::string> people;
  NLOHMANN_DEFINE_TYPE_INTRUSIVE(Company, name, founded, people)
};

struct Golden {
  using Strings = std::vector<std::string>;

  /// `broken`: half of the stages fail on the way.
  explicit Golden(bool broken) : broken_(broken) {
    const auto company = pipeline.input("company", Company{"Fernstone", 2019, {"Ada", "Grace"}});
    const auto tone = pipeline.input("tone", std::string{"dry"});
    const auto token = pipeline.secret("token", std::string{"never recorded"});
    declare_stages(company, token);
    declare_items(company, tone);
    declare_loops(tone);
    declare_rest(tone);
  }

  /// What was called since the last time, in order.
  Strings take() { return std::exchange(called_, {}); }

  Pipeline pipeline{"golden"};
  std::optional<Stage<Company>> deck;
  std::optional<FanOut<std::string>> sections;
  std::optional<FanOut<int>> pages;
  std::optional<Stage<Strings>> turns;
  std::optional<Stage<std::string>> post;
  std::optional<Stage<std::vector<std::byte>>> stamp;
  std::optional<Stage<std::string>> study;
  std::optional<Stage<std::string>> glossary;

 private:
  void call(const std::string& what) { called_.push_back(what); }
  void fail_if_broken(const std::string& what) const {
    if (broken_) throw std::runtime_error{what};
  }

  void declare_stages(const Stage<Company>& company, const Stage<std::string>& token) {
    deck.emplace(pipeline.stage(
        "deck", inputs(company, token),
        [this](Context& ctx, const Company& of, const std::string&) {
          call("deck");
          ctx.spend({.usd = 0.25, .tokens = 1000});
          const std::string found = ctx.step("search", [&] { return "about " + of.name; });
          const auto page =
              ctx.step({.name = "page", .revision = 2}, with(found), [&] { return found.size(); });
          return Company{found, of.founded, {std::to_string(page)}};
        }));
    pipeline.artifact(*deck, "0-deck.json");
    const auto deep = pipeline.condition("deep", inputs(*deck),
                                         [](const Company& of) { return of.founded > 2000; });
    study.emplace(pipeline.stage(
        {.name = "study", .when = deep}, inputs(*deck), [this](Context& ctx, const Company& of) {
          call("study");
          const Retry retry{.attempts = 3, .initial_delay = std::chrono::milliseconds{1}};
          return ctx.step({.name = "fetch", .retry = retry}, [&] {
            fail_if_broken("no answer");
            return "a study of " + of.name;
          });
        }));
    pipeline.stage({.name = "sketch", .when = !deep}, inputs(*deck), [this](const Company& of) {
      call("sketch");
      return of.name;
    });
    pipeline.stage("check", inputs(*deck), [this](const Company&) { call("check"); });
  }

  void declare_items(const Stage<Company>& company, const Stage<std::string>& tone) {
    const auto topics = pipeline.stage("topics", inputs(company), [this](const Company&) {
      call("topics");
      return Strings{"Team", "market/EU", "exit", "Team"};
    });
    sections.emplace(pipeline.stage(
        {.name = "sections",
         .retry = {.attempts = 2, .initial_delay = std::chrono::milliseconds{1}}},
        inputs(each(topics), tone), [this](const std::string& topic, const std::string& how) {
          call("sections " + topic);
          if (topic == "exit") fail_if_broken("no exit");
          return how + " words on " + topic;
        }));
    pipeline.artifact(*sections, "2-sections/{position:02}-{item:slug}.md");
    pipeline.append(*sections, "3-all.md", [](const std::string& text) { return text + "\n"; });
    const auto seeds = pipeline.stage("seeds", [this] {
      call("seeds");
      return Strings{"a"};
    });
    pages.emplace(
        pipeline.queue("pages", inputs(each(seeds)), [this](Context& ctx, const std::string& page) {
          call("pages " + page);
          if (page == "c") fail_if_broken("no page");
          if (page == "a") {
            ctx.enqueue(std::string{"b"});
            ctx.enqueue(std::string{"c"});
          }
          return static_cast<int>(page[0]);
        }));
  }

  void declare_loops(const Stage<std::string>& tone) {
    turns.emplace(
        pipeline.stage("turns", inputs(tone), [this](Context& ctx, const std::string& how) {
          call("turns");
          auto said =
              ctx.history<std::string>({.name = "said",
                                        .compaction = {.first = 1, .last = 2, .threshold = 4},
                                        .keep = true});
          auto count = ctx.progress(0, {.name = "count", .every = 1, .keep = true});
          while (*count < 8) {
            if (*count == 6) fail_if_broken("the line is dead");
            call("turn " + std::to_string(*count));
            said.push_back(how + " " + std::to_string(*count));
            ++*count;
            count.safepoint();
          }
          return said.entries();
        }));
  }

  void declare_rest(const Stage<std::string>& tone) {
    post.emplace(pipeline.stage("post", inputs(tone), [this](Context& ctx, const std::string& how) {
      call("post");
      return ctx.effect(
          "send", with(how),
          [&](const std::string&) {
            call("send");
            fail_if_broken("cut off");
            return "sent, " + how;
          },
          [this](const std::string&) {
            call("verify");
            return Verified<std::string>::did_not_happen();
          });
    }));
    stamp.emplace(pipeline.stage("stamp", inputs(tone), [this](Context& ctx, const std::string&) {
      call("stamp");
      ctx.require_approval("Stamp it?");
      return std::vector<std::byte>{std::byte{0}, std::byte{255}, std::byte{10}};
    }));
    glossary.emplace(
        pipeline.stage("glossary", inputs(tone), [this](Context& ctx, const std::string& how) {
          call("glossary");
          return ctx.cached("terms", with(how), [&] {
            call("terms");
            return "terms, " + how;
          });
        }));
  }

  bool broken_;
  Strings called_;
};

}  // namespace resumable::test
