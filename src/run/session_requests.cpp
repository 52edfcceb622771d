// The requests in the options: which stages run again, which stay as they are, and which edits
// count.
#include <fmt/format.h>

#include "core/key.hpp"
#include "core/text.hpp"
#include "plan/requests.hpp"
#include "resumable/error.hpp"
#include "run/session.hpp"

namespace resumable::run {

using plan::Request;

Request parse_selector(const detail::Graph& graph, std::string_view selector, Request::What what) {
  const std::size_t slash = selector.find('/');
  Request request{what, graph.stage(selector.substr(0, slash)), {}};
  if (slash == selector.npos) return request;
  request.item = std::string{selector.substr(slash + 1)};
  const bool fan_out = graph.nodes[request.node].kind == detail::NodeKind::fan_out;
  if (!fan_out || request.item.empty() || what == Request::What::from) {
    throw Error(
        Errc::bad_option,
        {.what = fmt::format("'{}' does not select an item", core::printable(selector)),
         .stage = graph.nodes[request.node].shown(),
         .next = "items are selected as 'stage/item', of stages that have items, for redo"});
  }
  core::check_item_key(graph.nodes[request.node].shown(), request.item);
  return request;
}

namespace {

/// `stage:trigger`. The trigger is checked where what is recorded is known, too.
Request parse_ignored(const detail::Graph& graph, std::string_view text) {
  const std::size_t colon = text.find(':');
  Request request{Request::What::ignore, graph.stage(text.substr(0, colon)), {}};
  if (colon != text.npos) request.trigger = std::string{text.substr(colon + 1)};
  return request;
}

}  // namespace

/// What makes stages run, and what happens to users' changes.
void Session::ask_runs() {
  for (const std::string& one : options_.redo) {
    asked_.push_back(parse_selector(graph(), one, Request::What::redo));
  }
  for (const std::string& one : options_.from) {
    asked_.push_back(parse_selector(graph(), one, Request::What::from));
  }
  if (options_.fresh) asked_.push_back({Request::What::fresh, 0, {}});
  const auto choose = [&](const std::vector<std::string>& names, auto& choices) {
    for (const std::string& one : names) {
      Request chosen = parse_selector(graph(), one, Request::What::redo);
      choices.push_back({chosen.node, std::move(chosen.item)});
    }
  };
  choose(options_.reject, reject_);
  choose(options_.accept, accept_);
}

/// By node: whether these options ask that the whole stage run again.
std::vector<bool> Session::asked_again() const {
  std::vector<bool> runs_again(graph().nodes.size(), options_.fresh);
  for (const Request& one : asked_) {
    const bool runs = one.what == Request::What::redo || one.what == Request::What::from;
    if (runs && one.item.empty()) runs_again[one.node] = true;
  }
  return runs_again;
}

/// What keeps stages from running. Undoing comes first, because one call may undo and redo for the
/// same stage.
void Session::ask_choices() {
  const auto ask = [&](const std::vector<std::string>& names, Request::What what, bool off) {
    for (const std::string& one : names) {
      Request asked = what == Request::What::ignore ? parse_ignored(graph(), one)
                                                    : parse_selector(graph(), one, what);
      asked.off = off;
      asked_.push_back(std::move(asked));
    }
  };
  ask(options_.unpin, Request::What::pin, true);
  ask(options_.unignore, Request::What::ignore, true);
  ask(options_.pin, Request::What::pin, false);
  ask(options_.ignore, Request::What::ignore, false);
  ask(options_.accept, Request::What::accept, false);
}

}  // namespace resumable::run
