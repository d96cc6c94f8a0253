// SPDX-License-Identifier: Apache-2.0

extension UnitRegistry {
  /// Registers the effects found in the sound modules of the nineties.
  mutating func registerModulation() {
    register("flanger") { reader throws(GraphError) in
      FlangerUnit(name: reader.name, rate: reader.rate)
    }
    register("phaser") { reader throws(GraphError) in
      PhaserUnit(
        name: reader.name, stageCount: try reader.count("stages", in: 2...12, default: 6),
        rate: reader.rate)
    }
    register("tremolo") { reader throws(GraphError) in
      TremoloUnit(name: reader.name, rate: reader.rate)
    }
    register("wah") { reader throws(GraphError) in WahUnit(name: reader.name, rate: reader.rate) }
    register("rotary") { reader throws(GraphError) in
      RotaryUnit(name: reader.name, rate: reader.rate)
    }
    for kind in DriveUnit.Kind.allCases {
      register("\(kind)") { reader throws(GraphError) in
        DriveUnit(kind, name: reader.name, rate: reader.rate)
      }
    }
    register("enhancer") { reader throws(GraphError) in
      EnhancerUnit(name: reader.name, rate: reader.rate)
    }
    register("lo-fi") { reader throws(GraphError) in LoFiUnit(name: reader.name, rate: reader.rate)
    }
    register("cross-delay") { reader throws(GraphError) in
      CrossDelayUnit(name: reader.name, rate: reader.rate)
    }
    register("tap-delay") { reader throws(GraphError) in
      TapDelayUnit(name: reader.name, rate: reader.rate)
    }
    register("pitch-shift") { reader throws(GraphError) in
      PitchShiftUnit(name: reader.name, rate: reader.rate)
    }
  }
}
