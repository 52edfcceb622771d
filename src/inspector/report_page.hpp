/// @file
/// The page of `resumable report`, without its data. The build makes it of src/inspector/report.
#pragma once

namespace resumable {
inline namespace v0 {
namespace inspector {

extern const char* const page_before_data;
extern const char* const page_after_data;

}  // namespace inspector
}  // namespace v0
}  // namespace resumable
