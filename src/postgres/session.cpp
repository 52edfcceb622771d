#include "postgres/session.hpp"

#include <algorithm>
#include <thread>

#include <fmt/format.h>

#include "core/run_id.hpp"

namespace resumable::postgres {
namespace {

constexpr int most_readers = 4;
constexpr std::chrono::milliseconds longest_pause{500};

/// Of a server that is starting, or has no connection left at the moment.
bool may_pass(const std::string& state) {
  return state.empty() || state.starts_with("08") || state.starts_with("57P0") || state == "53300";
}

struct Hint {
  std::string_view state;
  std::string_view next;
};

constexpr Hint hints[] = {
    {"28P01", "check the password: in PGPASSWORD, in ~/.pgpass or in the URL"},
    {"28000", "check the user in the URL, and the server's pg_hba.conf"},
    {"3D000", "check the name of the database in the URL, or make it with createdb"},
    {"3F000", "check the schema in the URL"},
    {"42501", "give the user of the URL the right to use, or to make, the schema"},
    {"53100", "free some space on the server's disk, then run again"},
    {"53300", "raise max_connections of the server; a store opens at most seven"},
    {"25006", "name the primary server in the URL"},
};

std::string hint_for(std::string_view state, std::chrono::milliseconds timeout) {
  const auto* found =
      std::ranges::find_if(hints, [&](const Hint& hint) { return hint.state == state; });
  if (found != std::end(hints)) return std::string{found->next};
  return fmt::format(
      "check the server and the URL, then give the same command again: it continues from what is"
      " saved; with timeout=SECONDS in the URL it waits longer than {} s for the server",
      std::chrono::duration<double>(timeout).count());
}

}  // namespace

Patience::Patience(const Target& target, const Wait& wait)
    : limit_{{wait}, std::chrono::steady_clock::now() + target.options.timeout} {}

bool Patience::again() {
  const auto now = std::chrono::steady_clock::now();
  if (limit_.is_over() || now >= limit_.end) return false;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(limit_.end - now);
  std::this_thread::sleep_for(std::min(pause_, left));
  pause_ = std::min(2 * pause_ + std::chrono::milliseconds{5}, longest_pause);
  return true;
}

Session::Session(Target target) : target_(std::move(target)), pid_(process_.pid()) {
  idle_.reserve(most_readers);  // giving one back must not fail
}

store::RunSite Session::site(std::string_view run) const {
  return {target_.url, std::string{run}, core::encode_run(run)};
}

std::string Session::where(std::string_view run, RecordId id) const {
  return fmt::format("{}: records of {}, {} {}", target_.url, core::encode_run(run), id.path,
                     id.generation);
}

void Session::check_process() const {
  if (!forked()) return;
  throw Error(Errc::forked, {.what = "the database was opened by the parent of this process",
                             .file = target_.url,
                             .kept = "nothing was changed",
                             .next = "open the store in the process that uses it"});
}

void Session::note_connected() noexcept {
  const std::scoped_lock lock{guard_};
  connected_ = true;
}

bool Session::connect(std::unique_ptr<Connection>& own, const Limit& limit) {
  if (own && own->usable()) return false;
  own.reset();
  own = std::make_unique<Connection>(target_, limit);
  note_connected();
  return true;
}

Error Session::failed(Errc code, std::string_view why, std::string_view state) const {
  const std::string_view what = code == Errc::unreadable
                                    ? "the PostgreSQL database cannot be read"
                                    : "the PostgreSQL database cannot be written";
  return {code,
          {.what = fmt::format("{}: {}", what, why),
           .file = target_.url,
           .kept = "everything saved before is intact",
           .next = hint_for(state, target_.options.timeout)}};
}

void Session::handle(Errc failure, Patience& patience) {
  try {
    throw;
  } catch (const WaitOver&) {
    throw Error(Errc::cancelled, {.what = "the call to the store was stopped, or took too long",
                                  .file = target_.url,
                                  .kept = "nothing was changed",
                                  .next = "try again, or allow more time"});
  } catch (const ConnectionLost& lost) {
    if (!patience.again()) throw failed(failure, lost.what(), "");
  } catch (const ConnectFailed& error) {
    const bool was_there = [&] {
      const std::scoped_lock lock{guard_};
      return connected_;
    }();
    const bool starting = error.state == "57P03" || error.state == "53300";
    if (!(starting || (was_there && may_pass(error.state))) || !patience.again()) {
      throw failed(failure, error.what(), error.state);
    }
  } catch (const Refused& refused) {
    if (!refused.is_conflict() || !patience.again()) {
      throw failed(failure, refused.what(), refused.state);
    }
  }
}

std::unique_ptr<Connection> Session::take(const Limit& limit) {
  {
    std::unique_lock lock{guard_};
    returned_.wait(lock, [&] { return lent_ < most_readers; });
    ++lent_;
    while (!idle_.empty()) {
      auto connection = std::move(idle_.back());
      idle_.pop_back();
      if (connection->usable()) return connection;
    }
  }
  try {
    std::unique_ptr<Connection> connection;
    connect(connection, limit);
    return connection;
  } catch (...) {
    give_back(nullptr);
    throw;
  }
}

void Session::give_back(std::unique_ptr<Connection> connection) noexcept {
  const std::scoped_lock lock{guard_};
  --lent_;
  if (connection && connection->usable()) idle_.push_back(std::move(connection));
  returned_.notify_one();
}

}  // namespace resumable::postgres
