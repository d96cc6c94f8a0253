// SPDX-License-Identifier: Apache-2.0
internal import ALSAAudio
package import AudioProcessing
internal import CoreAudio
package import MusicalTime

/// The devices that queues play on and record from.
package struct QueueDevices: Sendable {
  /// Opens an output of a rate, a number of channels and a device, or of the default device for nil.
  package var output: @Sendable (SampleRate, Int, String?) throws -> any OutputUnit
  /// Opens an input of a rate, a number of channels and a device, or of the default device for nil.
  package var input: @Sendable (SampleRate, Int, String?) throws -> any SoundInput

  /// Describes devices.
  ///
  /// - Parameters:
  ///   - output: opens an output.
  ///   - input: opens an input.
  package init(
    output: @escaping @Sendable (SampleRate, Int, String?) throws -> any OutputUnit,
    input: @escaping @Sendable (SampleRate, Int, String?) throws -> any SoundInput
  ) {
    (self.output, self.input) = (output, input)
  }

  /// The devices of queues that are created from now on by this task.
  @TaskLocal package static var current = QueueDevices.system

  /// ALSA's devices.
  ///
  /// Without a default device, queues play to nowhere and record silence, in real time.
  package static let system = QueueDevices(
    output: { rate, channelCount, device in
      if let device { return try named(device, rate, channelCount) }
      let first = silentUnlessThere(rate, channelCount, 256)
      return MovableOutputUnit(first) { lost in
        silentUnlessThere(lost.format.rate, lost.format.channelCount, lost.periodFrames)
      }
    },
    input: { rate, channelCount, device in
      var wishes = ALSAInput.Wishes()
      wishes.channelCount = channelCount
      wishes.device = device ?? HardwareChoice(.capture).device
      do {
        return try ALSAInput(rate: rate, wishes: wishes)
      } catch {
        guard device == nil else { throw error }
        wishes.device = "null"
        return try ALSAInput(rate: rate, wishes: wishes)
      }
    })

  private static func named(
    _ device: String?, _ rate: SampleRate, _ channelCount: Int
  ) throws -> any OutputUnit {
    var wishes = ALSAOutputUnit.Wishes()
    let choice = device.map { HardwareChoice(device: $0) } ?? HardwareChoice(.playback)
    wishes.channelCount = channelCount
    (wishes.device, wishes.periodFrames) = (choice.device, choice.periodFrames)
    // A lost default device is replaced; a queue that chose its device ends with it.
    wishes.patience = device == nil ? 3600 : 0
    return try ALSAOutputUnit(rate: rate, wishes: wishes)
  }

  private static func silentUnlessThere(
    _ rate: SampleRate, _ channelCount: Int, _ mostFrames: Int
  ) -> any OutputUnit {
    do {
      return try named(nil, rate, channelCount)
    } catch {
      let quanta = max(1, mostFrames / AudioFormat.quantum)
      return NullOutputUnit(
        format: AudioFormat(rate: rate, channelCount: channelCount),
        periodFrames: quanta * AudioFormat.quantum)
    }
  }
}
