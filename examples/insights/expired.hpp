/// @file
/// What is left of jobs that were removed: that they have expired, and when.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

namespace insights {

/// A small file for each removed job, in `.expired-jobs` beside the jobs. So it is
/// recorded that an id has expired; an id without a trace is unknown. Losing one makes its id
/// unknown, nothing more: nothing here is synced, and what cannot be written is left out.
class Expired {
 public:
  static constexpr std::size_t most = 1000;  ///< ids that are remembered

  /// @param jobs  the folder of all jobs
  explicit Expired(const std::filesystem::path& jobs) : folder_(jobs / ".expired-jobs") {}

  /// @param name  of the job's folder
  void note(const std::filesystem::path& name, const std::string& when) const;
  [[nodiscard]] std::optional<std::string> when(const std::filesystem::path& name) const;
  /// Forgets those that were noted first, when there are more than `most`.
  void forget_oldest() const;

 private:
  std::filesystem::path folder_;
};

}  // namespace insights
