// SPDX-License-Identifier: Apache-2.0

/// The render side of a fade.
///
/// The curve is Perlin's smootherstep. Its slope and curvature are zero at both ends, so it does
/// not add audible high frequencies, unlike a straight line.
struct FadeKernel: ~Copyable {
  private let frameCount: Int
  private var passedFrames = 0

  init(frameCount: Int) {
    self.frameCount = max(1, frameCount)
  }

  static let function: RenderStep.Function = { kernel, block in
    unsafe kernel.assumingMemoryBound(to: FadeKernel.self).pointee.render(
      block.assumingMemoryBound(to: RenderBlock.self).pointee)
  }

  @_noAllocation @_noLocks
  private mutating func render(_ block: RenderBlock) {
    let old = block.input(0)
    let new = block.input(1)
    let output = block.output(0)
    for frame in 0..<AudioFormat.quantum {
      passedFrames = min(frameCount, passedFrames &+ 1)
      let share = Self.share(Float(passedFrames) / Float(frameCount))
      for channel in 0..<output.channelCount {
        let before = unsafe old.channel(channel)[frame]
        let after = unsafe new.channel(channel)[frame]
        // If both sounds are the same, the result is the same, bit for bit.
        unsafe output.channel(channel)[frame] = before + (after - before) * share
      }
    }
  }

  /// The share of the new sound at a position in the fade, both 0…1.
  @_noAllocation @_noLocks
  static func share(_ part: Float) -> Float {
    part * part * part * (part * (part * 6 - 15) + 10)
  }
}
