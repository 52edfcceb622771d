#include "research/runs.hpp"

#include <utility>

#include <fmt/format.h>
#include <resumable/error.hpp>
#include <resumable/file_store.hpp>
#include <resumable/resume.hpp>
#include <resumable/stop.hpp>

#include "research/session_file.hpp"
#include "research/sessions.hpp"

namespace research {

namespace rs = resumable;

Runs::Runs(program::Place place, Settings how) : place_{std::move(place)}, how_{std::move(how)} {}

Runs::~Runs() {
  std::vector<std::jthread> threads;
  {
    const std::scoped_lock lock{mutex_};
    threads = std::move(threads_);
  }
  for (std::jthread& thread : threads) thread.request_stop();
}

Continued Runs::go_on(const std::string& batch) {
  program::Store store{place_};
  const auto chosen = choose(store, batch);
  if (!chosen) {
    return {404,
            {},
            fmt::format("batch {} has no session", batch),
            "research continue BATCH --pages DIR begins one"};
  }
  if (chosen->damage) {
    return {409, chosen->id, chosen->damage->text(),
            fmt::format("research resume {} sets it aside and does that part again", chosen->id)};
  }
  if (is_running(chosen->id)) return {202, chosen->id};
  if (!chosen->begun) {
    return {409, chosen->id, "it was stopped before it recorded what it is made from",
            fmt::format("research continue {} --pages DIR (or --site URL)", batch)};
  }
  if (chosen->finished) return {200, chosen->id};
  return start(chosen->id);
}

Continued Runs::start(const std::string& session) {
  const std::scoped_lock lock{mutex_};
  if (!running_.insert(session).second) return {202, session};
  failures_.erase(session);
  threads_.emplace_back([this, session](const std::stop_token& stop) { run(session, stop); });
  return {202, session};
}

void Runs::run(const std::string& session, const std::stop_token& stop) {
  std::string failure;
  try {
    program::Store store{place_};
    const ResearchPipeline research{how_};
    rs::ResumeOptions options{.run = session, .stop = rs::Stop{stop}};
    options.verify_payloads = true;
    options.create = rs::Create::never;
    const rs::Report report = rs::resume(research.pipeline(), store, options);
    if (const rs::Error* error = report.error()) failure = error->info().what;
    write_session_file(store, place_.out, session);
  } catch (const std::exception& error) {
    failure = error.what();
  }
  const std::scoped_lock lock{mutex_};
  running_.erase(session);
  if (!failure.empty()) failures_[session] = failure;
  ended_.notify_all();
}

bool Runs::is_running(const std::string& session) const {
  const std::scoped_lock lock{mutex_};
  return running_.contains(session);
}

bool Runs::any() const {
  const std::scoped_lock lock{mutex_};
  return !running_.empty();
}

void Runs::wait() const {
  std::unique_lock lock{mutex_};
  ended_.wait(lock, [this] { return running_.empty(); });
}

std::string Runs::failure(const std::string& session) const {
  const std::scoped_lock lock{mutex_};
  const auto found = failures_.find(session);
  return found == failures_.end() ? std::string{} : found->second;
}

}  // namespace research
