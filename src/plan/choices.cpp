#include "plan/choices.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/key.hpp"
#include "core/text.hpp"
#include "core/time.hpp"
#include "plan/decider.hpp"
#include "resumable/detail/saturating.hpp"
#include "resumable/error.hpp"

namespace resumable::plan {

using What = Request::What;

namespace {

bool is_of(const Request& request, What what, std::uint32_t node) {
  return request.what == what && request.node == node && !request.off;
}

bool covers_item(const Request& request, std::string_view item) {
  return request.item.empty() || request.item == item;
}

/// To a user, an item's element and the list that it comes from are one input.
std::string_view input_of(std::string_view trigger) {
  if (trigger.ends_with(of_element)) trigger.remove_suffix(of_element.size());
  return trigger;
}

/// A trigger as people call it.
std::string shown(const detail::Graph& graph, const std::string& trigger) {
  const std::size_t node = graph.find(trigger);
  return node < graph.nodes.size() ? graph.nodes[node].shown() : trigger;
}

std::string selector(const detail::Graph& graph, const Request& request) {
  const std::string& stage = graph.nodes[request.node].shown();
  return request.item.empty() ? stage : stage + "/" + request.item;
}

core::Key key_of(const detail::Graph& graph, std::uint32_t node, const std::string& item) {
  const std::string& stage = graph.nodes[node].name;
  return item.empty() ? core::stage_key(stage) : core::item_key(stage, item);
}

}  // namespace

Choices::Choices(const std::vector<Request>& requests) {
  for (const Request& one : requests) {
    if (!is_choice(one) || one.off) continue;
    standing_.push_back(one);
    std::ranges::sort(standing_.back().accepted, {}, &Accepted::item);
  }
}

bool Choices::is_about(std::uint32_t node) const {
  return std::ranges::count(standing_, node, &Request::node) > 0;
}

bool Choices::pins(std::uint32_t node, std::string_view item) const {
  return std::ranges::any_of(standing_, [&](const Request& one) {
    return is_of(one, What::pin, node) && covers_item(one, item);
  });
}

bool Choices::pins_item(std::uint32_t node, std::string_view item) const {
  return std::ranges::any_of(standing_, [&](const Request& one) {
    return is_of(one, What::pin, node) && !item.empty() && one.item == item;
  });
}

bool Choices::ignores(std::uint32_t node, std::string_view trigger) const {
  return std::ranges::any_of(standing_, [&](const Request& one) {
    return is_of(one, What::ignore, node) && one.trigger == input_of(trigger);
  });
}

bool Choices::accepts_now(std::uint32_t node, std::string_view item) const {
  return std::ranges::any_of(standing_, [&](const Request& one) {
    return is_of(one, What::accept, node) && one.is_new() && covers_item(one, item);
  });
}

const Accepted* Choices::accepted(std::uint32_t node, std::string_view item,
                                  const core::Head& head) const {
  for (const Request& request : standing_) {
    if (!is_of(request, What::accept, node)) continue;
    const auto one = std::ranges::lower_bound(request.accepted, item, {}, &Accepted::item);
    if (one == request.accepted.end() || one->item != item) continue;
    // A later record is a different value, unless it only moves this one to another place.
    const bool same = head.fence <= request.fence || head.identity == one->identity;
    if (one->made == head.fingerprint && one->revision == head.revision && same) return &*one;
  }
  return nullptr;
}

bool Choices::keeps_list(std::uint32_t node, std::uint32_t revision) const {
  return std::ranges::any_of(standing_, [&](const Request& one) {
    const auto for_this = [&](const Accepted& accepted) { return accepted.code == revision; };
    return (is_of(one, What::pin, node) && one.item.empty()) ||
           (is_of(one, What::ignore, node) && one.trigger == "code") ||
           (is_of(one, What::accept, node) &&
            (one.is_new() ? one.item.empty() : std::ranges::any_of(one.accepted, for_this)));
  });
}

void Choices::tell(const detail::Graph& graph, std::uint32_t node,
                   std::vector<Cause>& causes) const {
  for (const Request& one : standing_) {
    if (one.node != node || one.what == What::accept) continue;
    const bool pin = one.what == What::pin;
    const Cause cause{.reason = pin ? Reason::pinned : Reason::ignored,
                      .subject = pin ? one.item : shown(graph, one.trigger)};
    const bool told = std::ranges::any_of(causes, [&](const Cause& other) {
      return other.reason == cause.reason && input_of(other.subject) == cause.subject;
    });
    if (!told) causes.push_back(cause);
  }
}

// ---- wishes of a call --------------------------------------------------------------------------

namespace {

/// What can make a stage stale, by the names that users know.
std::vector<std::string> triggers_of(const detail::Graph& graph, std::uint32_t node) {
  std::vector<std::string> names;
  for (const detail::Arg& arg : graph.nodes[node].args) {
    const detail::Node& source = graph.nodes[arg.node];
    if (arg.kind == detail::ArgKind::after || source.kind == detail::NodeKind::secret) continue;
    if (std::ranges::count(names, source.shown()) == 0) names.push_back(source.shown());
  }
  names.insert(names.end(), {"code", "age"});
  return names;
}

}  // namespace

void check_trigger(const detail::Graph& graph, const Request& wish) {
  const std::vector<std::string> known = triggers_of(graph, wish.node);
  if (std::ranges::count(known, shown(graph, wish.trigger)) > 0) return;
  const std::string guess = core::did_you_mean(wish.trigger, known);
  const std::string& stage = graph.nodes[wish.node].shown();
  throw Error(
      Errc::bad_option,
      {.what = wish.trigger.empty()
                   ? fmt::format("'{}' must name what to ignore: {}:INPUT, {}:code or {}:age",
                                 stage, stage, stage, stage)
                   : fmt::format("stage '{}' has no input '{}' to ignore.{}", stage,
                                 core::printable(wish.trigger),
                                 guess.empty() ? "" : " Did you mean '" + guess + "'?"),
       .stage = stage,
       .kept = "nothing was changed",
       .next = fmt::format("write {}:TRIGGER with one of {}", stage, fmt::join(known, ", "))});
}

void merge_choice(const detail::Graph& graph, Request wish, std::vector<Request>& all) {
  if (wish.what == What::accept) {
    all.push_back(wish);
    return;
  }
  if (const std::size_t input = graph.find(wish.trigger); input < graph.nodes.size()) {
    wish.trigger = graph.nodes[input].name;  // as it is recorded
  }
  const auto same = std::ranges::find_if(all, [&](const Request& one) {
    return one.what == wish.what && one.node == wish.node && one.item == wish.item &&
           one.trigger == wish.trigger;
  });
  // A request about an input that the stage no longer takes can still be undone.
  if (wish.what == What::ignore && same == all.end()) check_trigger(graph, wish);
  if (same == all.end()) {
    if (!wish.off) all.push_back(wish);
  } else if (same->off != wish.off) {
    *same = wish;
  }
}

namespace {

bool has_value(const detail::Graph& graph, const Facts& facts, const Request& wish) {
  if (graph.nodes[wish.node].kind == detail::NodeKind::fan_out && wish.item.empty()) {
    return !facts.item_paths(graph.nodes[wish.node].name).empty();
  }
  return newest_whole(facts.rows(key_of(graph, wish.node, wish.item).path)) != nullptr;
}

/// It would keep the value from being made again when that is needed.
void refuse_pin_of_dropped(const detail::Graph& graph, const Request& wish) {
  const std::string& stage = graph.nodes[wish.node].shown();
  throw Error(Errc::no_value,
              {.what = fmt::format("the value of '{}' was dropped after use, and cannot be pinned",
                                   core::printable(stage)),
               .stage = stage,
               .kept = "nothing was changed",
               .next = "pin the stages that take it",
               .advice = {{.option = Option::pin, .leave_out = true}}});
}

void refuse_without_value(const detail::Graph& graph, const Request& wish) {
  const bool pin = wish.what == What::pin;
  const std::string name = core::printable(selector(graph, wish));
  throw Error(
      Errc::no_value,
      {.what = fmt::format("'{}' has no value that could be {}", name, pin ? "pinned" : "accepted"),
       .stage = graph.nodes[wish.node].shown(),
       .item = wish.item,
       .kept = "nothing was changed",
       .next = pin ? "resume, and pin it once it has one" : "resume: it runs",
       .advice = {{.option = pin ? Option::pin : Option::accept, .leave_out = true}}});
}

void check_redo(const detail::Graph& graph, const Choices& choices, const Request& redo) {
  if (!choices.pins(redo.node, redo.item)) return;
  const std::string name = core::printable(selector(graph, redo));
  // The pin may be of the stage or of the item.
  const std::string pinned = choices.pins_item(redo.node, redo.item)
                                 ? name
                                 : core::printable(graph.nodes[redo.node].shown());
  throw Error(Errc::bad_option,
              {.what = fmt::format("'{}' is pinned: its value stays, and it does not run", name),
               .stage = graph.nodes[redo.node].shown(),
               .item = redo.item,
               .kept = "nothing was changed",
               .next = "unpin it in the same call",
               .advice = {{.option = Option::unpin, .selector = pinned}}});
}

/// What is accepted must be known.
void check_accept(const detail::Graph& graph, const Request& wish, const NodeState& state) {
  const auto upstream = [](const std::vector<Cause>& causes) {
    const auto open = std::ranges::find(causes, Reason::upstream, &Cause::reason);
    return open == causes.end() ? std::string{} : std::string{input_of(open->subject)};
  };
  std::string input = state.taken ? upstream(state.decision.causes) : std::string{};
  if (state.list && !wish.item.empty()) {
    const auto causes = state.causes.find(state.list->find(wish.item, 0));
    input = causes == state.causes.end() ? std::string{} : upstream(causes->second);
  }
  if (input.empty()) return;
  const std::string name = core::printable(selector(graph, wish));
  throw Error(
      Errc::bad_option,
      {.what = fmt::format("'{}' cannot be accepted yet: '{}', which it takes, has no value that "
                           "is up to date",
                           name, input),
       .stage = graph.nodes[wish.node].shown(),
       .item = wish.item,
       .kept = "nothing was changed",
       .next = fmt::format("accept '{}' as well, or pin '{}'", input, name),
       .advice = {{.option = Option::accept, .selector = input},
                  {.option = Option::pin,
                   .selector = name,
                   .purpose = fmt::format("to keep its value whatever '{}' comes to", input)}}});
}

}  // namespace

void check_choices(const detail::Graph& graph, const Facts& facts, const Decider& decider,
                   std::span<const NodeState> states) {
  for (const Request& wish : decider.requests()) {
    if (!wish.is_new() || wish.off) continue;
    if (wish.what == What::redo) check_redo(graph, decider.choices(), wish);
    const bool of_value = wish.what == What::pin || wish.what == What::accept;
    if (of_value && !has_value(graph, facts, wish)) refuse_without_value(graph, wish);
    if (wish.what == What::pin && states[wish.node].dropped) refuse_pin_of_dropped(graph, wish);
    if (wish.what == What::accept) check_accept(graph, wish, states[wish.node]);
  }
}

namespace {

bool lets_pass(const std::vector<Cause>& causes) {
  return std::ranges::count(causes, Reason::accepted, &Cause::reason) > 0;
}

bool lets_age_pass(const std::vector<Cause>& causes) {
  return std::ranges::any_of(causes, [](const Cause& cause) {
    return cause.reason == Reason::accepted && cause.subject == "age";
  });
}

}  // namespace

std::vector<Accepted> accepted_records(const Facts& facts, const Decider& decider,
                                       std::uint32_t node, std::span<const NodeState> states) {
  const NodeState& state = states[node];
  std::vector<Accepted> result;
  std::set<std::string> named;
  const auto row_of = [&](const std::string& item) {
    return newest_whole(facts.rows(key_of(decider.graph(), node, item).path));
  };
  const auto add = [&](const std::string& item, std::optional<std::size_t> place,
                       const std::vector<Cause>& causes) {
    const Row* row = row_of(item);
    if (row == nullptr || !lets_pass(causes) || !decider.choices().accepts_now(node, item)) return;
    const Accepted* former = decider.choices().accepted(node, item, row->head);
    Accepted one{.item = item,
                 .made = row->head.fingerprint,
                 .revision = row->head.revision,
                 .identity = row->head.identity,
                 .inputs = {},
                 .fingerprint = {},
                 .code = decider.graph().nodes[node].revision,
                 .at = former != nullptr ? former->at : std::string{}};
    const auto inputs = decider.inputs(node, state, place, states);
    for (const KnownInput& input : inputs) {
      if (!input.exempt && input.identity) one.inputs.push_back({input.name, *input.identity});
    }
    one.fingerprint = Decider::fingerprint(inputs).value_or(Digest{});
    const auto& max_age = decider.graph().nodes[node].max_age;
    const auto counted = core::parse_utc(one.at);
    if (lets_age_pass(causes) && (!counted || *counted < detail::earlier(facts.now(), max_age))) {
      one.at = core::format_utc(facts.now());
    }
    named.insert(item);
    result.push_back(std::move(one));
  };
  if (state.list) {
    for (const auto& [place, causes] : state.causes)
      add(std::string{state.list->keys[place]}, place, causes);
  } else {
    add({}, std::nullopt, state.decision.causes);
  }
  for (const Request& request : decider.requests()) {
    if (request.what != What::accept || request.node != node) continue;
    for (const Accepted& one : request.accepted) {
      const Row* row = named.contains(one.item) ? nullptr : row_of(one.item);
      if (row != nullptr && decider.choices().accepted(node, one.item, row->head) == nullptr) {
        row = nullptr;
      }
      if (row != nullptr) result.push_back(one);
    }
  }
  return result;
}

}  // namespace resumable::plan
