/// @file
/// Connections for reading, one for each thread that is reading at the moment.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "sqlite/database.hpp"

namespace resumable::sqlite {

/// Safe to use from several threads.
class Readers {
 public:
  explicit Readers(std::string file);
  /// A connection that only reads makes the files beside the database, and leaves them. They are
  /// removed here, unless they hold something or somebody uses them.
  ~Readers();
  Readers(const Readers&) = delete;
  Readers& operator=(const Readers&) = delete;

  /// Returns its connection when it is destroyed. Must not outlive the Readers.
  class Reader {
   public:
    Reader(Readers& of, std::unique_ptr<Connection> connection) noexcept
        : of_(&of), connection_(std::move(connection)) {}
    Reader(Reader&&) noexcept = default;
    Reader& operator=(Reader&&) = delete;
    ~Reader();

    /// False when there is no database.
    [[nodiscard]] explicit operator bool() const noexcept { return connection_ != nullptr; }
    [[nodiscard]] Connection& operator*() const noexcept { return *connection_; }

   private:
    Readers* of_;
    std::unique_ptr<Connection> connection_;
  };

  /// @throws Error{Errc::forked}, Error{Errc::unreadable}, Error{Errc::newer},
  /// Error{Errc::foreign}
  [[nodiscard]] Reader take();

 private:
  std::unique_ptr<Connection> take_idle();
  void give_back(std::unique_ptr<Connection> connection) noexcept;

  std::string file_;
  std::int64_t pid_;
  std::mutex guard_;
  std::vector<std::unique_ptr<Connection>> idle_;
};

/// @throws Error{Errc::forked}  this process is not `pid`
void check_process(std::int64_t pid, const std::string& file);

}  // namespace resumable::sqlite
