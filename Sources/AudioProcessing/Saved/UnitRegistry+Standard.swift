// SPDX-License-Identifier: Apache-2.0

extension UnitRegistry {
  /// A registry of all units in this module that can be saved.
  public static var standard: UnitRegistry {
    var registry = UnitRegistry()
    registry.registerEffects()
    registry.registerColours()
    registry.registerModulation()
    registry.registerMixers()
    registry.registerRouting()
    return registry
  }

  private mutating func registerEffects() {
    register("reverb") { reader throws(GraphError) in
      let channels = try reader.count("channels", in: 1...2, default: 2)
      return ReverbUnit(name: reader.name, channelCount: channels, rate: reader.rate)
    }
    register("delay") { reader throws(GraphError) in
      DelayUnit(
        name: reader.name, channelCount: try reader.channels(most: 64),
        longestSeconds: try reader.number("longest", in: 0.01...60, default: 2), rate: reader.rate)
    }
    register("compressor") { reader throws(GraphError) in
      CompressorUnit(
        name: reader.name, channelCount: try reader.channels(most: 64),
        lookAhead: try reader.count("lookAhead", in: 0...4096, default: 0), rate: reader.rate)
    }
    register("limiter") { reader throws(GraphError) in
      LimiterUnit(
        name: reader.name, channelCount: try reader.channels(most: 64), rate: reader.rate)
    }
    register("equaliser") { reader throws(GraphError) in
      let kinds = EqualizerUnit.Kind.allCases
      let words = try reader.words("bands", of: kinds.map { "\($0)" }, most: 64)
      let bands = words.compactMap { word in kinds.first { "\($0)" == word } }
      return EqualizerUnit(
        name: reader.name, bands: bands.isEmpty ? [.peaking] : bands,
        channelCount: try reader.channels(most: 64),
        leastGain: Float(try reader.number("leastGain", in: -96...0, default: -24)),
        rate: reader.rate)
    }
  }

  private mutating func registerColours() {
    register("chorus") { reader throws(GraphError) in
      ChorusUnit(
        name: reader.name, channelCount: try reader.channels(most: 64),
        voiceCount: try reader.count("voices", in: 1...8, default: 3), rate: reader.rate)
    }
    register("gate") { reader throws(GraphError) in
      GateUnit(
        name: reader.name, channelCount: try reader.channels(most: 64),
        lookAhead: try reader.count("lookAhead", in: 0...4096, default: 0), rate: reader.rate)
    }
    register("saturation") { reader throws(GraphError) in
      SaturationUnit(
        name: reader.name, channelCount: try reader.channels(most: 64), rate: reader.rate)
    }
    register("stereo") { reader throws(GraphError) in
      StereoUnit(name: reader.name, rate: reader.rate)
    }
    for kind in FilterUnit.Kind.allCases {
      register(FilterUnit.word(kind)) { reader throws(GraphError) in
        FilterUnit(
          kind, name: reader.name,
          slope: 12 * (try reader.count("slope", in: 12...48, default: 12) / 12),
          channelCount: try reader.channels(most: 64), rate: reader.rate)
      }
    }
  }

  private mutating func registerMixers() {
    register("mixer") { reader throws(GraphError) in
      let counts = try reader.counts("strips", in: 1...2, most: 1024, default: [2, 2])
      let trim = try reader.number("trim", in: 0...1000, default: 1)
      let laws = try reader.words("laws", of: PanLaw.allCases.map { "\($0)" }, most: counts.count)
      let mixer = MixerUnit(
        name: reader.name, channelCounts: counts, trim: Float(trim), rate: reader.rate)
      for (strip, word) in laws.enumerated() {
        mixer[strip].law = PanLaw.allCases.first { "\($0)" == word } ?? .balance
      }
      return mixer
    }
    register("panner") { reader throws(GraphError) in
      PannerUnit(
        name: reader.name, channelCount: try reader.count("channels", in: 1...2, default: 1),
        law: try reader.choice("law", default: .constantPower), rate: reader.rate)
    }
    register("spatial mixer") { reader throws(GraphError) in
      SpatialMixerUnit(
        name: reader.name, sourceCount: try reader.count("sources", in: 1...1024, default: 1),
        distanceLaw: try reader.choice("law", default: .inverse), rate: reader.rate)
    }
    registerScene(headphones: nil)
    register("generator") { reader throws(GraphError) in
      GeneratorUnit(
        name: reader.name, try reader.choice("signal", default: .sine),
        seed: UInt64(try reader.count("seed", in: 0...Int.max, default: 1)), rate: reader.rate)
    }
  }

  /// Registers the unit for scenes on headphones, with head-related responses.
  ///
  /// Documents do not contain the responses, so they are supplied here. The sample rate of the
  /// responses must be that of the restored graph.
  public mutating func register(headphones responses: HeadResponses) {
    registerScene(headphones: responses)
  }

  private mutating func registerScene(headphones responses: HeadResponses?) {
    register("scene") { reader throws(GraphError) in
      let fits = responses?.rate == reader.rate
      let words = SceneUnit.layouts.map(\.word) + (fits ? ["headphones"] : [])
      let word = try reader.word("output", of: words, default: words[0])
      var output = SceneUnit.Output.speakers(.quad)
      if let responses, word == "headphones" {
        output = .headphones(responses)
      } else if let layout = SceneUnit.layouts.first(where: { $0.word == word })?.layout {
        output = .speakers(layout)
      }
      return SceneUnit(
        name: reader.name, sourceCount: try reader.count("sources", in: 1...256, default: 1),
        output: output, distanceLaw: try reader.choice("law", default: .inverse),
        longestDelay: try reader.number("longestDelay", in: 0...10, default: 0.3),
        rate: reader.rate)
    }
  }

  private mutating func registerRouting() {
    register("inlet") { reader throws(GraphError) in
      SubgraphUnit.Inlet(name: reader.name, channelCount: try reader.channels(most: 1024))
    }
    register("input") { reader throws(GraphError) in
      InputUnit(
        name: reader.name, channelCount: try reader.channels(most: 64),
        clock: try reader.choice("clock", default: .own),
        heldFrames: try reader.count("heldFrames", in: 64...1 << 20, default: 2048),
        isLive: try reader.count("live", in: 0...1, default: 0) == 1,
        rate: reader.rate)
    }
    register("splitter") { reader throws(GraphError) in
      SplitterUnit(
        name: reader.name, outputCount: try reader.count("outputs", in: 1...1024, default: 2),
        channelCount: try reader.channels(most: 64), rate: reader.rate)
    }
    register("merger") { reader throws(GraphError) in
      MergerUnit(
        name: reader.name,
        channelCounts: try reader.counts("inputs", in: 1...16, most: 64, default: [1, 1]))
    }
    register("converter") { reader throws(GraphError) in
      ChannelConverterUnit(
        name: reader.name, from: try reader.count("from", in: 1...64, default: 2),
        to: try reader.count("to", in: 1...64, default: 2), rate: reader.rate)
    }
    register("meter") { reader throws(GraphError) in
      MeterTap(name: reader.name, channelCount: try reader.channels(most: 64), rate: reader.rate)
    }
  }
}

extension SetupReader {
  /// The channel count of a bus; 2 if the setting is absent.
  fileprivate mutating func channels(most: Int) throws(GraphError) -> Int {
    try count("channels", in: 1...most, default: 2)
  }

  /// Reads a case of an enumeration by its name.
  fileprivate mutating func choice<Choice: CaseIterable>(
    _ name: String, default initial: Choice
  ) throws(GraphError) -> Choice {
    let word = try word(name, of: Choice.allCases.map { "\($0)" }, default: "\(initial)")
    return Choice.allCases.first { "\($0)" == word } ?? initial
  }
}
