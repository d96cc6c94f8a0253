// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import Glibc
internal import Synchronization

/// The rendering half of an output: renders periods, and publishes its position.
final class PeriodRenderer: @unchecked Sendable {
  // Unchecked: after `init` only the rendering thread uses it, until that was joined.

  private let status: StreamStatus
  private let periodFrames: Int
  private var kernel: DeviceKernel

  /// Creates a renderer; the caller must retain the plan.
  init(
    _ plan: RenderPlan, _ agreement: PCMAgreement, _ channels: ChannelMap, _ status: StreamStatus,
    from frame: Int64
  ) {
    self.status = status
    periodFrames = agreement.periodFrames
    kernel = DeviceKernel(plan, agreement, channels, from: frame)
    status.position.store(frame, ordering: .releasing)
  }

  /// Renders the next period, which is valid until the next call.
  func render() -> UnsafeRawPointer {
    kernel.fill(frameCount: periodFrames)
    status.position.store(kernel.position, ordering: .releasing)
    status.clampedSampleCount.store(kernel.guardKernel.clampedSampleCount, ordering: .relaxed)
    status.faultySampleCount.store(kernel.guardKernel.faultySampleCount, ordering: .relaxed)
    return unsafe UnsafeRawPointer(kernel.frames)
  }

  /// Renders into a queue until it is closed, or periods are not removed from it for too long.
  func run(into queue: PeriodQueue) {
    var waited: Int32 = 0
    while !queue.isClosed, waited < OutputStream.longestPause {
      if queue.waitForRoom(milliseconds: 100) {
        unsafe queue.push(render())
        waited = 0
      } else {
        waited = status.isAway.load(ordering: .relaxed) ? 0 : waited + 100
      }
    }
    if !queue.isClosed { status.fail(-ETIMEDOUT) }
  }
}
