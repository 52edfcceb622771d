/// @file
/// The history of all sessions as a page with a button to continue each, and the same as JSON. On
/// the loopback device only.
///
///     GET  /                            the page; it needs no script and no mouse
///     GET  /api/history                 all sessions, as `list --json`
///     POST /api/history/BATCH/resume    continues the batch's session: 202 and its id; 200 when it
///                                       is finished, 404 for no such batch, 409 when it cannot
///                                       continue, with `error` and `next`
///     POST /history/BATCH/resume        the same for the page's button: 303 back to the page
///     GET  /sessions/ID/report          the report, once there is one
///
/// A request that names another host, or comes from a page of another site, is refused with 403.
#pragma once

#include <memory>
#include <string>

#include "program/store.hpp"
#include "research/pipeline.hpp"

namespace research {

class HistoryServer {
 public:
  /// @param out   the folder of all sessions
  /// @param how   pace, delay and certificates of what is continued
  /// @param port  0: pick a free one
  /// @throws resumable::Error{Errc::bad_option}  the port cannot be had
  HistoryServer(const program::Place& place, Settings how, int port = 0);
  /// Stops what it has continued: it keeps what it has saved.
  ~HistoryServer();
  HistoryServer(const HistoryServer&) = delete;
  HistoryServer& operator=(const HistoryServer&) = delete;

  [[nodiscard]] std::string url() const;  ///< http://127.0.0.1:PORT
  /// Returns when nothing that it has continued is running.
  void wait() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace research
