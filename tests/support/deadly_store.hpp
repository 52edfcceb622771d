/// @file
/// A store whose process is killed at a commit: for what happens before events tell anything.
#pragma once

#include <csignal>
#include <memory>
#include <string_view>
#include <utility>

#include "resumable/forwarding_store.hpp"

namespace resumable::test {

/// Kills its process, with SIGKILL, after the nth commit.
class DeadlyLease final : public ForwardingLease {
 public:
  DeadlyLease(std::unique_ptr<Lease> lease, int survives)
      : ForwardingLease(std::move(lease)), survives_(survives) {}

 private:
  Ticket do_commit(const Batch& records, const CommitOptions& options) override {
    const Ticket ticket = next().commit(records, options);
    if (survives_-- == 0) static_cast<void>(raise(SIGKILL));
    return ticket;
  }
  int survives_;
};

/// With -1 it survives not even taking the lease.
class DeadlyStore final : public ForwardingStore {
 public:
  DeadlyStore(CheckpointStore& store, int survives) : ForwardingStore(store), survives_(survives) {}

 private:
  std::unique_ptr<Lease> do_lease(std::string_view run, const LeaseRequest& request) override {
    auto lease = next().lease(run, request);
    if (survives_ < 0) static_cast<void>(raise(SIGKILL));
    return std::make_unique<DeadlyLease>(std::move(lease), survives_);
  }
  int survives_;
};

}  // namespace resumable::test
