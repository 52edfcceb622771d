#include "resumable/work_queue.hpp"

namespace resumable {
inline namespace v0 {

WorkQueue::~WorkQueue() = default;

}  // namespace v0
}  // namespace resumable
