internal import AudioProcessing
internal import CCoreAudio
// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
internal import Foundation
internal import MusicalTime
internal import Synchronization

/// The sound of a unit on a device, from a start to a stop.
final class DeviceRun: @unchecked Sendable {
  // Unchecked: one thread renders, and the clock is read under a lock.

  private let output: any OutputUnit
  private let puller: DevicePuller
  private let unit: FunctionUnit
  private let clock: Mutex<ReferenceClock>

  /// Opens the device, or the null output if the device cannot be opened, and starts it.
  ///
  /// - Throws: an error if a thread cannot be started; `kAudioUnitErr_FormatNotSupported` for an
  ///   invalid rate.
  init(_ head: UnitObject, rate: Double) throws {
    guard let rate = SampleRate(hertz: Int(rate)) else {
      throw StatusError(kAudioUnitErr_FormatNotSupported)
    }
    output = SharedOutput.make(rate: rate)
    puller = DevicePuller(head, rate: Double(rate.hertz))
    unit = unsafe FunctionUnit(
      name: "audio units", outputs: [2], context: Unmanaged.passUnretained(puller).toOpaque()
    ) { context, block in
      let block = unsafe block.assumingMemoryBound(to: RenderBlock.self).pointee
      unsafe Unmanaged<DevicePuller>.fromOpaque(context).takeUnretainedValue().render(block)
    }
    clock = Mutex(ReferenceClock(rate: rate, latency: output.latency))
    try output.start(.playing(unit), at: .zero)
  }

  /// Stops and returns when the device is silent.
  func stop() {
    output.stop(draining: false)
  }

  /// The relation between the device's frames and host time; nil before the first period.
  var base: TimeBase? {
    clock.withLock { clock in
      _ = clock.look(output.clock, at: output.position)
      return clock.base
    }
  }

  /// The device's frames as the pace of a clock; nil before the first period.
  var pace: DevicePace.Source? {
    clock.withLock { _ in output.clock }.map {
      DevicePace.Source($0, rate: output.format.rate, stream: number)
    }
  }

  /// A unique number below 0.
  private let number = DeviceRun.count.subtract(1, ordering: .relaxed).newValue
  private static let count = Atomic(0)

  /// The time of the first frame of a quantum that is audible at or after `time` and has not been
  /// rendered yet.
  func startTime(atOrAfter time: HostTime) -> HostTime {
    guard let base else { return time }
    let rate = output.format.rate
    let rendered = rate.timeRoundedUp(of: output.position).advanced(byNanoseconds: Self.lead)
    let frame = rate.frame(at: max(base.time(at: time, .scheduled), rendered)).frames
    let quantum = Int64(AudioFormat.quantum)
    let first = (frame + quantum) / quantum * quantum
    return base.hostTime(of: rate.timeRoundedUp(of: SampleTime(frames: first)))
  }

  /// Nanoseconds: events for frames that are rendered sooner may be too late.
  private static let lead: Int64 = 10_000_000

  /// The average load of rendering; 1 is all of the available time.
  var load: Float { puller.load.average }
  var peakLoad: Float { puller.load.takePeak() }
}
