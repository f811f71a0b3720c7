/*
 * The lock protocol, for any order in which messages arrive: acquire, extend, repair, sealing release, expiry, crashes
 * that lose data, quarantine, floor take-over and fence. Each rule can be switched off, to show why it is needed.
 *
 * The model represents time only by its consequences. A client relies on a lease for less time than the nodes keep it,
 * so a key does not expire on a node whose confirmation the client relies on (rule Validity). A quarantine is longer
 * than any lease, so it ends when every attempt that began before it is over (rule Quarantine).
 */
module holdfast

open util/ordering[Token] as order

/** A proposed token. Clocks may be wrong, so any attempt may propose any token. The first one means "none". */
sig Token {}

sig Node {
  /** The attempt whose lock the node keeps. */
  var key: lone Attempt,
  /**
   * The greatest accepted token, and the greatest token that must not be accepted because the node may have lost it.
   */
  var fence: one Token,
  var floor: one Token,
  /** Attempts whose release the node has processed. */
  var sealed: set Attempt,
  /** Attempts that began before the node lost its data; empty when it votes. */
  var awaits: set Attempt,
  /** The greatest of the tokens that the node may have lost, as other nodes reported it after the quarantine. */
  var learnt: lone Token
}

/** The nodes that vote. */
var sig Voter in Node {}

sig Attempt {
  token: one Token,
  /** The number that its repairs propose. There is one, so a second renewal sends the same as the first one. */
  number: one Token,
  /** Nodes to which a message of the attempt has been sent; it may arrive late, more than once, or never. */
  var claim: set Node,
  var extension: set Node,
  var repair: set Node,
  var release: set Node,
  /**
   * Nodes whose grant counts: the client has received it or may still receive it, and the key has not expired since.
   */
  var yes: set Node,
  /** The nodes on whose keys the client relies. */
  var relies: set Node,
  /** Attempts that had been granted when this one began. */
  var earlier: set Attempt
}

var sig Begun, Granted, Over in Attempt {}

enum Rule {
  /** A client relies on a majority of the nodes. */
  Majority,
  /** A client relies on a lease for less time than the nodes keep it, counted from before it asked. */
  Validity,
  /** A node does not grant the lock while another attempt has it. */
  Exclusive,
  /** A node accepts no token below one that it has accepted. */
  CompareFence,
  /** A node accepts no token equal to one that it has accepted. */
  StrictlyAbove,
  /** A release prevents claims of its attempt that arrive later from taking the lock. */
  Seal,
  /** A release deletes only the lock of its own attempt. */
  CompareOwner,
  /** An extension that arrives after the lock is gone creates nothing. */
  ExtendCreatesNothing,
  /** A node accepts no repair whose number is below one that it has accepted. */
  RepairComparesFence,
  /** A node accepts no repair whose number is equal to one that it has accepted. */
  RepairStrictlyAbove,
  /** A repair proposes a number that its attempt has never sent to the node; otherwise the token of the lease. */
  RepairFresh,
  /** A repair does not change the key of another attempt. */
  RepairTakesNoOther,
  /** A release covers the repairs that its attempt has sent to the node. */
  ReleaseCoversRepairs,
  /** A node that lost its data does not vote until the attempts that began before are over. */
  Quarantine,
  /** Facts that were collected about a node count only for the current server process. */
  RunId,
  /** A node that lost its data takes over the greatest token that others know. */
  TakeOver,
  /** A node that lost its data takes over tokens from N - Q + 1 others. */
  FloorOfEnough,
  /** A node drops a fence only after it has raised its floor above it. */
  FloorBeforeDrop
}

/** The rules that are switched off. */
one sig Config { off: set Rule }

/** The nodes that take part in the current step, if it involves several. */
one sig Step { var nodes: set Node }

pred on[r: Rule] { r not in Config.off }

fun holding: set Attempt { Granted - Over }
fun greatest[ts: set Token]: Token { order/max[ts + order/first] }
/** The greatest number that an attempt has sent to a node. */
fun sent[a: Attempt, n: Node]: Token { n in a.repair implies greatest[a.token + a.number] else a.token }

pred majority[ns: set Node] {
  on[Majority] implies #ns > div[#Node, 2] else #ns >= div[#Node, 2] and some ns
}

fact tokens { all a: Attempt | a.token != order/first }

pred init {
  no key and no sealed and no awaits and no learnt and no claim and no extension and no repair and no release and
    no yes and no relies and no earlier

  Node.fence = order/first and Node.floor = order/first
  no Begun and no Granted and no Over
  Voter = Node
}

pred unchangedNodes {
  key' = key and fence' = fence and floor' = floor and sealed' = sealed and awaits' = awaits and learnt' = learnt and
  Voter' = Voter
}

pred unchangedMessages { claim' = claim and extension' = extension and repair' = repair and release' = release }

pred unchangedClients {
  yes' = yes and relies' = relies and earlier' = earlier and Begun' = Begun and Granted' = Granted and Over' = Over
}

/** A client sends a claim with a token of its choice to all nodes. */
pred begin[a: Attempt] {
  a not in Begun
  Begun' = Begun + a
  claim' = claim + a->Node
  earlier' = earlier + a->Granted
  unchangedNodes and extension' = extension and repair' = repair and release' = release
  yes' = yes and relies' = relies and Granted' = Granted and Over' = Over
}

/** Claims of an attempt arrive at some nodes, each of which grants the lock. (A refusal changes nothing.) */
pred accept[a: Attempt, ns: set Node] {
  some ns and ns in a.claim and ns in Voter
  all n: ns {
    on[Exclusive] implies no n.key
    on[CompareFence] implies (on[StrictlyAbove]
      implies order/gt[a.token, greatest[n.fence + n.floor]]
      else order/gte[a.token, greatest[n.fence + n.floor]])
  }
  key' = key ++ ns->a

  fence' = fence ++ ns->a.token
  yes' = yes + a->ns
  floor' = floor and sealed' = sealed and awaits' = awaits and learnt' = learnt and Voter' = Voter
  unchangedMessages and relies' = relies and earlier' = earlier and Begun' = Begun and Granted' = Granted and
    Over' = Over
}

/** The client has a majority in time. */
pred grant[a: Attempt] {
  a in Begun - Granted - Over
  majority[a.yes]
  Granted' = Granted + a
  relies' = relies + a->a.yes
  unchangedNodes and unchangedMessages and yes' = yes and earlier' = earlier and Begun' = Begun and Over' = Over
}

/** A client may propose this number for a repair; it is free to choose. */
pred mayPropose[a: Attempt, r: Token] {
  on[RepairFresh] implies order/gt[r, a.token] else r = a.token
}

/** A node would accept a repair with this number if it kept no key. */
pred acceptsRepair[n: Node, r: Token] {
  on[RepairComparesFence] implies (on[RepairStrictlyAbove]
    implies order/gt[r, greatest[n.fence + n.floor]]
    else order/gte[r, greatest[n.fence + n.floor]])
}

/** A majority confirms an extension; nodes that do not have the lock are asked to repair it. */
pred extend[a: Attempt, ns: set Node] {
  a in holding
  mayPropose[a, a.number]
  majority[ns] and (all n: ns | n.key = a)
  relies' = relies - a->Node + a->ns
  extension' = extension + a->Node
  repair' = repair + a->(Node - ns)
  unchangedNodes and claim' = claim and release' = release and yes' = yes and earlier' = earlier
  Begun' = Begun and Granted' = Granted and Over' = Over
}

/** An extension arrives after the lock is gone. */
pred extended[a: Attempt, n: Node] {
  not on[ExtendCreatesNothing]
  n in a.extension and no n.key
  key' = key + n->a
  fence' = fence and floor' = floor and sealed' = sealed and awaits' = awaits and learnt' = learnt and Voter' = Voter
  unchangedMessages and unchangedClients
}

/** A repair arrives, possibly after the attempt is over. */
pred repaired[a: Attempt, n: Node] {
  n in a.repair and n in Voter
  on[RepairTakesNoOther] implies no n.key
  acceptsRepair[n, a.number]
  key' = key ++ n->a
  fence' = fence ++ n->greatest[n.fence + a.number]
  floor' = floor and sealed' = sealed and awaits' = awaits and learnt' = learnt and Voter' = Voter
  unchangedMessages and unchangedClients
}

/** The client cancels, releases, or loses the lease: it relies on nothing any more. */
pred end[a: Attempt] {
  a in Begun - Over
  Over' = Over + a
  relies' = relies - a->Node
  release' = release + a->Node
  unchangedNodes and claim' = claim and extension' = extension and repair' = repair
  yes' = yes and earlier' = earlier and Begun' = Begun and Granted' = Granted
}

/**
 * A release arrives. The seal is the greatest number of the attempt, so a node that has accepted that number has
 * nothing to write. (The scripts seal with the next number where they write, because repairs of earlier versions pass
 * a fence equal to theirs.)
 */
pred released[a: Attempt, n: Node] {
  n in a.release
  key' = ((n.key = a or not on[CompareOwner]) implies key - n->Attempt else key)
  fence' = (on[Seal] implies fence ++ n->greatest[n.fence + (on[ReleaseCoversRepairs] implies sent[a, n] else a.token)] else fence)
  sealed' = sealed + n->a

  floor' = floor and awaits' = awaits and learnt' = learnt and Voter' = Voter
  unchangedMessages and unchangedClients
}

/** The time to live of a key is over. A client that has not decided yet must not count this grant. */
pred expire[n: Node] {
  some n.key
  on[Validity] implies n not in n.key.relies
  key' = key - n->Attempt
  yes' = (on[Validity] implies yes - n.key->n else yes)
  fence' = fence and floor' = floor and sealed' = sealed and awaits' = awaits and learnt' = learnt and Voter' = Voter

  unchangedMessages and relies' = relies and earlier' = earlier and Begun' = Begun and Granted' = Granted and
    Over' = Over
}

/** A node loses all data. Connections to it are lost, with all messages on them. */
pred forget[n: Node] {
  key' = key - n->Attempt
  fence' = fence ++ n->order/first
  floor' = floor ++ n->order/first
  sealed' = sealed - n->Attempt
  Voter' = ((on[Quarantine] or on[TakeOver]) implies Voter - n else Voter)
  awaits' = (on[Quarantine] implies awaits ++ n->(Begun - Over) else awaits)

  learnt' = (on[RunId] implies learnt - n->Token else learnt)
  claim' = claim - Attempt->n
  extension' = extension - Attempt->n
  repair' = repair - Attempt->n
  release' = release and unchangedClients
}

/** A client has observed a node for long enough, and asks others which tokens the node may have lost. */
pred learn[n: Node, others: set Node] {
  n not in Voter
  n.awaits in Over
  others in Voter - n
  on[FloorOfEnough] implies #others >= minus[#Node, div[#Node, 2]] else some others
  learnt' = learnt ++ n->greatest[others.fence + others.floor]

  key' = key and fence' = fence and floor' = floor and sealed' = sealed and awaits' = awaits and Voter' = Voter
  unchangedMessages and unchangedClients
}

/**
 * A client reports the tokens to the node, which votes again. Other clients may have done so, and the node may have
 * restarted.
 */
pred admit[n: Node] {
  n not in Voter and some n.learnt
  floor' = (on[TakeOver] implies floor ++ n->greatest[n.learnt + n.floor] else floor)
  Voter' = Voter + n
  awaits' = awaits - n->Attempt
  key' = key and fence' = fence and sealed' = sealed and learnt' = learnt
  unchangedMessages and unchangedClients
}

/** A node drops the fence of a resource. */
pred drop[n: Node] {
  n.fence != order/first
  floor' = (on[FloorBeforeDrop] implies floor ++ n->greatest[n.floor + n.fence] else floor)
  fence' = fence ++ n->order/first
  key' = key and sealed' = sealed and awaits' = awaits and learnt' = learnt and Voter' = Voter
  unchangedMessages and unchangedClients
}

pred nothing { unchangedNodes and unchangedMessages and unchangedClients }

fact behaviour {
  init
  always (
    nothing
    or (some a: Attempt | begin[a] or accept[a, Step.nodes] or grant[a] or extend[a, Step.nodes] or end[a])
    or (some a: Attempt, n: Node | extended[a, n] or repaired[a, n] or released[a, n])
    or (some n: Node | expire[n] or forget[n] or learn[n, Step.nodes] or admit[n] or drop[n]))
}

/** At most one attempt relies on the lock. */
pred exclusion { lone holding }
/** No two leases have the same token. */
pred uniqueTokens { all disj a, b: Granted | a.token != b.token }
/** A lease's token is greater than that of every lease granted before its attempt began. */
pred tokenOrder { all a: Granted, b: a.earlier | order/gt[a.token, b.token] }
/** A node that has processed a release never has the lock of that attempt again. */
pred sealHolds { all n: Node | no n.key & n.sealed }

/** A voting node keeps the key that a client relies on, whatever others send. */
pred keysStay { all a: holding | all n: a.relies & Voter | n.key = a }
/**
 * A node that has lost the key of a lease accepts its repair once every other attempt is over and was released there.
 * (Except when the numbers run out, of which the model has few.)
 */
pred repairable {
  all a: holding, n: Voter |
    (no n.key and Begun - a in Over & n.sealed and order/last not in n.fence + n.floor + a.token)
      implies some r: Token | mayPropose[a, r] and acceptsRepair[n, r]
}

pred promises { exclusion and uniqueTokens and tokenOrder and sealHolds }

/* The protocol keeps its promises. */

threeNodes: check { no Config.off implies always promises } for exactly 3 Node, 2 Attempt, 3 Token, 1..9 steps expect 0
fiveNodes: check { no Config.off implies always promises } for exactly 5 Node, 2 Attempt, 3 Token, 1..8 steps expect 0
threeAttempts: check { no Config.off implies always promises } for exactly 3 Node, 3 Attempt, 4 Token, 1..7 steps expect 0
repairs: check { no Config.off implies always (keysStay and repairable) } for exactly 3 Node, 2 Attempt, 4 Token, 1..8 steps expect 0

/* The model is not vacuous: two leases are granted, one of them after a node has lost its data and votes again. */

leasesAndQuarantine: run {
  no Config.off
  eventually #Granted = 2
  some n: Node | eventually (n not in Voter and eventually n in Voter)
} for exactly 3 Node, 2 Attempt, 3 Token, 1..12 steps expect 1

/** A lost key is restored, although another attempt was released on that node meanwhile. */
repairBesideWaiter: run {
  no Config.off
  some disj a, b: Attempt, n: Node |
    eventually (a in holding and b in Over and b in n.sealed and no n.key and order/gt[b.token, a.token] and
      repaired[a, n])
} for exactly 3 Node, 2 Attempt, 4 Token, 1..11 steps expect 1

/* Without one rule, a promise is broken; the shortest counterexample is shown. */

withoutMajority: run { Config.off = Majority and eventually not exclusion } for exactly 3 Node, 2 Attempt, 3 Token, 1..10 steps expect 1
withoutValidity: run { Config.off = Validity and eventually not exclusion } for exactly 3 Node, 2 Attempt, 3 Token, 1..10 steps expect 1
withoutExclusive: run { Config.off = Exclusive and eventually not exclusion } for exactly 3 Node, 2 Attempt, 3 Token, 1..10 steps expect 1
withoutCompareFence: run { Config.off = CompareFence and eventually not tokenOrder } for exactly 3 Node, 2 Attempt, 3 Token, 1..10 steps expect 1
withoutStrictlyAbove: run { Config.off = StrictlyAbove and eventually not uniqueTokens } for exactly 3 Node, 2 Attempt, 3 Token, 1..10 steps expect 1
withoutSeal: run { Config.off = Seal and eventually not sealHolds } for exactly 3 Node, 2 Attempt, 3 Token, 1..10 steps expect 1
withoutCompareOwner: run { Config.off = CompareOwner and eventually not exclusion } for exactly 3 Node, 3 Attempt, 3 Token, 10 steps expect 1
withoutExtendCreatesNothing: run { Config.off = ExtendCreatesNothing and eventually not sealHolds } for exactly 3 Node, 2 Attempt, 3 Token, 1..10 steps expect 1
withoutRepairComparesFence: run { Config.off = RepairComparesFence and eventually not sealHolds } for exactly 3 Node, 2 Attempt, 3 Token, 1..10 steps expect 1
withoutRepairStrictlyAbove: run { Config.off = RepairStrictlyAbove and eventually not sealHolds } for exactly 3 Node, 2 Attempt, 3 Token, 1..10 steps expect 1
withoutRepairFresh: run { Config.off = RepairFresh + RepairStrictlyAbove and eventually not repairable } for exactly 3 Node, 2 Attempt, 4 Token, 1..10 steps expect 1
withoutRepairTakesNoOther: run {
  Config.off = RepairTakesNoOther and eventually not keysStay
  // Nodes that lose data and keys that expire are irrelevant here; without them the search is short.
  always (Voter = Node and floor = Node->order/first and all n: Node | not expire[n])
} for exactly 3 Node, 2 Attempt, 4 Token, 11 steps expect 1
withoutReleaseCoversRepairs: run { Config.off = ReleaseCoversRepairs and eventually not sealHolds } for exactly 3 Node, 2 Attempt, 3 Token, 1..10 steps expect 1
withoutQuarantine: run { Config.off = Quarantine and eventually not exclusion } for exactly 3 Node, 2 Attempt, 3 Token, 1..10 steps expect 1
withoutRunId: run { Config.off = RunId and eventually not exclusion } for exactly 3 Node, 2 Attempt, 3 Token, 12 steps expect 1
withoutTakeOver: run { Config.off = TakeOver and eventually not tokenOrder } for exactly 3 Node, 2 Attempt, 3 Token, 1..11 steps expect 1
withoutFloorOfEnough: run { Config.off = FloorOfEnough and eventually not tokenOrder } for exactly 3 Node, 2 Attempt, 3 Token, 1..11 steps expect 1
withoutFloorBeforeDrop: run { Config.off = FloorBeforeDrop and eventually not tokenOrder } for exactly 3 Node, 2 Attempt, 3 Token, 1..10 steps expect 1
