// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import CCoreAudio
internal import Foundation
internal import MusicalTime
internal import Synchronization

/// A unit's sound on the device, from a start to a stop.
final class DeviceRun: @unchecked Sendable {
  // Unchecked: one thread renders, and the clock is read under a lock.

  private let output: any OutputUnit
  private let puller: DevicePuller
  private let unit: FunctionUnit
  private let clock: Mutex<ReferenceClock>

  /// Opens the device, or where there is none a clock of the machine's, and starts.
  ///
  /// - Throws: where no thread can be had, or the rate is none.
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
    try output.start(.playing(unit))
  }

  /// Stops and returns when the device is silent.
  func stop() {
    output.stop(draining: false)
  }

  /// Where the device's frames lie on the host's clock; nil before the first period.
  var base: TimeBase? {
    clock.withLock { clock in
      _ = clock.look(output.clock, at: output.position)
      return clock.base
    }
  }

  /// The part of the time that it takes to make the sound: 0 where nobody measures.
  var load: Float { puller.load.average }
  var peakLoad: Float { puller.load.takePeak() }
}
