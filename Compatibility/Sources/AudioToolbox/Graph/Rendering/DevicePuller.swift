// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import CCoreAudio
internal import MusicalTime

/// Renders a unit for each quantum of the device.
final class DevicePuller: @unchecked Sendable {
  // Unchecked: only the render thread uses it, except for `load`.

  let load: RenderMeter
  private let head: UnitObject
  private let memory = StereoMemory(capacity: AudioFormat.quantum)

  init(_ head: UnitObject, rate: Double) {
    self.head = head
    load = RenderMeter(nanoseconds: Double(AudioFormat.quantum) * 1e9 / rate)
  }

  func render(_ block: RenderBlock) {
    var time = AudioTimeStamp()
    time.mSampleTime = Double(block.start.frames)
    time.mHostTime = mach_absolute_time()
    time.mFlags = .sampleHostTimeValid
    var flags = AudioUnitRenderActionFlags()
    let frames = AudioFormat.quantum
    let status = unsafe head.render(&flags, &time, UInt32(frames), into: memory)
    if status != 0 { memory.clear(frames) }
    let bus = block.output(0)
    unsafe bus.channel(0).update(from: memory.left, count: frames)
    unsafe bus.channel(1).update(from: memory.right, count: frames)
    load.note(mach_absolute_time() - time.mHostTime)
  }
}
