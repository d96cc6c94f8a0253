// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import MusicalTime
import Testing

@testable import ALSAAudio

@Suite struct DeviceKernelTests {
  private func plan(_ signal: SignalUnit.Signal) throws -> RenderPlan {
    var graph = AudioGraph()
    try graph.setHead(graph.add(SignalUnit(signal)))
    return try graph.compile()
  }

  private func agreement(_ format: SampleFormat, period: Int) -> PCMAgreement {
    PCMAgreement(
      format: format, hertz: 48_000, channelCount: 2, periodFrames: period,
      bufferFrames: 4 * period)
  }

  @Test(arguments: [1, 16, 63, 64, 65, 100, 441, 512, 1000])
  func `periods of any length are cut from the same quanta`(period: Int) throws {
    let plan = try plan(.count)
    var kernel = DeviceKernel(plan, agreement(.float32, period: period))
    var frame = 0
    for _ in 0..<10 {
      kernel.fill(frameCount: period)
      let samples = unsafe kernel.frames.assumingMemoryBound(to: Float.self)
      for index in 0..<period {
        let left = unsafe samples[2 * index]
        let right = unsafe samples[2 * index + 1]
        guard left == Float(frame) / 1_000_000, right == -left else {
          Issue.record("frame \(frame) is \(left), \(right)")
          return
        }
        frame += 1
      }
    }
    #expect(kernel.position == Int64((10 * period + 63) / 64 * 64))
  }

  @Test(arguments: [
    (Float(1), Int16.max), (-1, .min), (0, 0), (0.5, 16384), (1.5 / 32768, 2), (0.5 / 32768, 0),
    (-0.6 / 32768, -1), (2, .max), (-2, .min), (.nan, 0),
  ])
  func `16-bit samples are rounded and limited to the range`(sample: Float, integer: Int16) throws {
    let plan = try plan(.constant(sample))
    var kernel = DeviceKernel(plan, agreement(.integer16, period: 64))
    kernel.fill(frameCount: 64)
    let samples = unsafe kernel.frames.assumingMemoryBound(to: Int16.self)
    #expect(unsafe samples[0] == integer)
    #expect(unsafe samples[127] == integer)
  }

  private static let samples24: [(Float, Int32)] = [
    (1, 8_388_607), (-1, -8_388_608), (0, 0), (0.5, 4_194_304), (2, 8_388_607),
    (0x1.8p-23, 2), (0x1p-24, 0), (-0x1.8p-22, -3), (.nan, 0),
  ]

  @Test(arguments: samples24)
  func `24-bit samples are rounded, limited to the range, and in byte order`(
    sample: Float, integer: Int32
  ) throws {
    let plan = try plan(.constant(sample))
    var kernel = DeviceKernel(plan, agreement(.integer24, period: 64))
    kernel.fill(frameCount: 64)
    let samples = unsafe kernel.frames.assumingMemoryBound(to: Int32.self)
    #expect(unsafe samples[0] == integer)
    #expect(unsafe samples[127] == integer)
    var packed = DeviceKernel(plan, agreement(.packed24, period: 64))
    packed.fill(frameCount: 64)
    let bytes = unsafe packed.frames.assumingMemoryBound(to: UInt8.self)
    for place in [0, 127] {
      let low = unsafe Int32(bytes[3 * place]) | Int32(bytes[3 * place + 1]) << 8
      let high = unsafe Int32(Int8(bitPattern: bytes[3 * place + 2])) << 16
      #expect(low | high == integer)
    }
  }

  @Test(arguments: [
    (Float(1), Int32.max), (-1, .min), (0, 0), (0.5, 1 << 30), (-0.25, -1 << 29), (2, .max),
  ])
  func `32-bit samples are exact and limited to the range`(sample: Float, integer: Int32) throws {
    let plan = try plan(.constant(sample))
    var kernel = DeviceKernel(plan, agreement(.integer32, period: 64))
    kernel.fill(frameCount: 64)
    let samples = unsafe kernel.frames.assumingMemoryBound(to: Int32.self)
    #expect(unsafe samples[0] == integer)
    #expect(unsafe samples[127] == integer)
  }
}
