/// @file
/// Answers of a model in a file, for tests and demonstrations without one: `--record FILE` writes
/// it, `--provider recorded:FILE` answers from it.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "model/provider.hpp"

namespace model {

/// Answers from a file of lines {"task", "digest", "answer"}; the digest is of all that is asked.
class RecordedProvider final : public Provider {
 public:
  /// @throws ProviderError (not retryable)  the file cannot be read
  explicit RecordedProvider(const std::string& file);

 private:
  /// @throws ProviderError (not retryable)  this was not asked when the file was written
  Answer do_ask(const Task& task, const std::stop_token& stop) override;
  std::string do_name() const override { return "recorded"; }

  std::string file_;
  std::map<std::string, std::string> answers_;  // by digest
};

/// Passes on what another provider answers, and appends it to a file.
class RecordingProvider final : public Provider {
 public:
  RecordingProvider(std::unique_ptr<Provider> inner, std::string file)
      : inner_{std::move(inner)}, file_{std::move(file)} {}

 private:
  Answer do_ask(const Task& task, const std::stop_token& stop) override;
  std::string do_name() const override { return inner_->name(); }

  std::unique_ptr<Provider> inner_;
  std::string file_;
  std::mutex mutex_;
};

}  // namespace model
