// SPDX-License-Identifier: Apache-2.0

/// The description of a plug-in, read from its bundle's files without loading the plug-in.
public struct LV2Plugin: Hashable, Sendable {
  /// The URI, which identifies the plug-in permanently.
  public let uri: String
  /// The display name.
  public let name: String
  /// The author's name; nil if unknown.
  public let author: String?
  /// The category, such as `Reverb` or `Instrument`; nil if unknown.
  public let category: String?
  /// The path of the bundle's folder.
  public let bundle: String
  /// The path of the plug-in's shared library.
  public let library: String
  /// The ports, in the order of their indices.
  public let ports: [LV2Port]
  /// The URIs of the features that the plug-in requires.
  public let requiredFeatures: [String]
  /// The reason that the plug-in cannot be used; nil if the plug-in can be used.
  public var refusal: LV2Refusal?
  /// True if the plug-in can request work on another thread than the render thread.
  public let hasWorker: Bool
  /// True if the state may be restored while the plug-in renders.
  public let restoresWhileRunning: Bool
  /// True if the plug-in requires its default state to be restored after creation.
  public let wantsDefaultState: Bool

  /// The number of audio inputs.
  public var inputCount: Int { count(.audio, isInput: true) }
  /// The number of audio outputs.
  public var outputCount: Int { count(.audio, isInput: false) }
  /// True if the plug-in has audio inputs and outputs.
  public var isEffect: Bool { inputCount > 0 && outputCount > 0 }
  /// True if the plug-in receives MIDI, has an audio output, and either does not have an audio
  /// input or is in the category `Instrument`.
  public var isInstrument: Bool {
    (inputCount == 0 || category == "Instrument") && outputCount > 0
      && ports.contains { $0.isInput && $0.takesMIDI }
  }

  /// The control inputs, in the order of `LV2Unit.parameters`.
  public var controls: [LV2Port] { ports.filter { $0.isInput && $0.kind == .control } }

  /// The last component of the URI, such as `EPiano` for `http://drobilla.net/plugins/mda/EPiano`.
  public var shortName: String {
    let word = uri.split { "/#:".contains($0) }.last
    return word.map(String.init) ?? uri
  }

  private func count(_ kind: LV2Port.Kind, isInput: Bool) -> Int {
    ports.count { $0.kind == kind && $0.isInput == isInput }
  }
}
