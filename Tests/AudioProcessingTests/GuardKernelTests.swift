// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import Testing

@Suite struct GuardKernelTests {
  private func guarded(
    _ samples: [Float], clamps: Bool = true
  ) -> (samples: [Float], clamped: Int, faulty: Int) {
    let buffer = AudioBuffer(channelCount: 1)
    for (index, sample) in samples.enumerated() { unsafe buffer.bus.channel(0)[index] = sample }
    var kernel = GuardKernel(clamps: clamps)
    kernel.guardBus(buffer.bus)
    let out = samples.indices.map { buffer.bus[0, $0] }
    return (out, kernel.clampedSampleCount, kernel.faultySampleCount)
  }

  @Test func `full scale passes, one step above is clamped and counted`() {
    let result = guarded([1, -1, Float(1).nextUp, -1.5, 0.3])
    #expect(result.samples == [1, -1, 1, -1, 0.3])
    #expect(result.clamped == 2)
    #expect(result.faulty == 0)
  }

  @Test func `samples that are not finite become silence and are counted`() {
    let result = guarded([.nan, .infinity, -.infinity, .signalingNaN, 0.5])
    #expect(result.samples == [0, 0, 0, 0, 0.5])
    #expect(result.faulty == 4)
    #expect(result.clamped == 0)
  }

  @Test func `a file of single precision keeps samples above full scale`() {
    let result = guarded([2, .nan], clamps: false)
    #expect(result.samples == [2, 0])
    #expect(result.clamped == 0)
    #expect(result.faulty == 1)
  }
}
