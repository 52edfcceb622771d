/// @file
/// What the program's commands do, once their arguments are known.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <resumable/cli.hpp>

#include "program/store.hpp"
#include "review/modifications.hpp"
#include "review/pipeline.hpp"

namespace review {

/// What the command line said.
struct Arguments {
  std::string name;
  program::Place place{};
  std::string sources;
  std::string title;
  model::Choice choice{};
  model::Terms terms{};
  unsigned pace = 0;
  resumable::ResumeOptions options{};
  resumable::cli::OutputOptions output{};
};

/// Each action gives an exit code; errors of usage are thrown as resumable::Error.
class Actions {
 public:
  Actions(const Arguments& arguments, resumable::cli::Console& console);

  int run();
  int resume() { return resume_run(false); }
  /// As resume(), and agrees to the file that the run waits for.
  int agree() { return resume_run(true); }
  int plan();
  int status();
  int list();

 private:
  int resume_run(bool agrees);
  /// Makes what users have changed the stages' values; nothing else has to run up to where it
  /// waits.
  resumable::Outcome take_over(const resumable::Pipeline& pipeline);
  int go(const resumable::Pipeline& pipeline);
  [[nodiscard]] std::string find();
  [[nodiscard]] Settings settings() const;
  [[nodiscard]] std::vector<std::string> recorded_files() const;
  [[nodiscard]] std::optional<std::string> provider() const;
  [[nodiscard]] std::string command(std::string_view name) const;
  [[nodiscard]] std::string command_to_begin() const;
  [[nodiscard]] const Review* waits(const resumable::Pipeline& pipeline);
  [[nodiscard]] std::string collides(const resumable::Pipeline& pipeline);
  void tell(const ResumedFrom& resumed);
  void tell_age(const ResumedFrom& resumed);

  Arguments args_;
  resumable::cli::Console& console_;
  program::Store store_;
};

}  // namespace review
