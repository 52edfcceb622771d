/// @file
/// The program's inputs: the values passed now, and the recorded ones.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "core/graph.hpp"
#include "plan/facts.hpp"
#include "record/record_index.hpp"
#include "sys/file_system.hpp"

namespace resumable::record {

/// An input as this call sees it.
struct Input {
  plan::InputFact fact;
  detail::AnyValue value;                    ///< what stages are given
  std::shared_ptr<const Payload> to_record;  ///< set when the store does not have it yet
};

/// Reads the values that the program declared, and folders of files.
class HostInputs {
 public:
  /// All must outlive it.
  HostInputs(const RecordIndex& records, sys::FileSystem& system)
      : records_(records), system_(system) {}

  /// `graph` must outlive it. @throws Error
  void read(const detail::Graph& graph);
  [[nodiscard]] const Input& at(std::uint32_t node) const { return inputs_.at(node); }
  /// Whether two whole records have the value, so that one may be lost.
  [[nodiscard]] bool is_recorded_twice(std::uint32_t node) const;
  /// nullptr before read(), and for what is not an input.
  [[nodiscard]] const Input* find(std::uint32_t node) const;
  /// A short form of an input's recorded value with this identity, or "".
  [[nodiscard]] std::string text(std::string_view name, const Digest& identity) const;

 private:
  [[nodiscard]] Input read_input(std::uint32_t node) const;
  [[nodiscard]] Input read_files(std::uint32_t node) const;
  [[nodiscard]] const plan::Row* newest(const std::string& path) const;
  [[nodiscard]] Input lost_input(const std::string& path) const;
  [[nodiscard]] bool is_current(const detail::Node& input, const plan::Row& row) const;
  [[nodiscard]] Input given_input(const detail::Node& node) const;
  [[nodiscard]] Input recorded_input(const detail::Node& node) const;

  const detail::Graph* graph_ = nullptr;  ///< before read()
  const RecordIndex& records_;
  sys::FileSystem& system_;
  std::map<std::uint32_t, Input> inputs_;
};

}  // namespace resumable::record
