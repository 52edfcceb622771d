/// @file
/// Everything a program needs to declare and run pipelines.
#pragma once

#include "resumable/cache.hpp"             // IWYU pragma: export
#include "resumable/codec.hpp"             // IWYU pragma: export
#include "resumable/context.hpp"           // IWYU pragma: export
#include "resumable/effect.hpp"            // IWYU pragma: export
#include "resumable/error.hpp"             // IWYU pragma: export
#include "resumable/file.hpp"              // IWYU pragma: export
#include "resumable/file_store.hpp"        // IWYU pragma: export
#include "resumable/forwarding_store.hpp"  // IWYU pragma: export
#include "resumable/handle.hpp"            // IWYU pragma: export
#include "resumable/job.hpp"               // IWYU pragma: export
#include "resumable/memory_store.hpp"      // IWYU pragma: export
#include "resumable/observer.hpp"          // IWYU pragma: export
#include "resumable/open_store.hpp"        // IWYU pragma: export
#include "resumable/pipeline.hpp"          // IWYU pragma: export
#include "resumable/plan.hpp"              // IWYU pragma: export
#include "resumable/progress.hpp"          // IWYU pragma: export
#include "resumable/progress_display.hpp"  // IWYU pragma: export
#include "resumable/queue.hpp"             // IWYU pragma: export
#include "resumable/records.hpp"           // IWYU pragma: export
#include "resumable/report.hpp"            // IWYU pragma: export
#include "resumable/resume.hpp"            // IWYU pragma: export
#include "resumable/retry.hpp"             // IWYU pragma: export
#include "resumable/run_list.hpp"          // IWYU pragma: export
#include "resumable/schema.hpp"            // IWYU pragma: export
#include "resumable/stage.hpp"             // IWYU pragma: export
#include "resumable/status.hpp"            // IWYU pragma: export
#include "resumable/step.hpp"              // IWYU pragma: export
#include "resumable/stop.hpp"              // IWYU pragma: export
#include "resumable/version.hpp"           // IWYU pragma: export
#include "resumable/work.hpp"              // IWYU pragma: export
#include "resumable/work_queue.hpp"        // IWYU pragma: export
