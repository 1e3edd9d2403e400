/** What the worker is told of the terms: who decides, pay, time, doubt and spending. */

const ROLES =
  'maintainer|maintainers|reviewer|reviewers|team|owner|owners|lead|qa|judges|jury|committee|moderator|moderators|editor|architect|designer|client|customer|sponsor|sponsors|community|staff|council|board|auditor|panel|manager|ci|po|codeowner|codeowners|tester|testers|legal|security|product|core|organizers|organisers|<mention>|bot|admin|admins|accountant|teacher|mentor|mentors|validator|verifier|dao|foundation|stakeholders|department|office|librarian';
const ROLES_NL =
  'beheerder|beheerders|reviewer|team|opdrachtgever|eigenaar|productowner|redactie|redacteur|jury|commissie|architect|ontwerper|klant|tester|testteam|bestuur|collega|manager|po|secretariaat|juridische|jurist|functioneel|projectleider|gemeente|afdeling|docent|<mention>|accountant|boekhouder';
const DAYS =
  'monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec|<day>|eod|eow|eom|tomorrow|tonight|q1|q2|q3|q4|maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag|januari|februari|maart|mei|juni|juli|augustus|oktober|morgen|vanavond|kerst|zomer|1st|15th|31st|30th|20th|midnight';
const PAY =
  'bounty|bounties|reward|rewards|rewarded|pay|pays|paid|paying|payment|payout|prize|prizes|compensation|compensated|earn|earns|funded|funding|fee|stipend|offer|offering|offered|worth|award|awarded|receive|receives|tip|salary|rate|budget|sponsored|beloning|vergoeding|betaal|betalen|betaald|betaling|uitbetaald|uitbetaling|premie|prijs|honorarium|ontvangt|krijgt|verdient|tarief|loon';
const COSTS =
  'spend|spending|spent|cost|costs|expenses|expense|api|tokens|token|compute|hosting|cloud|ads|gas|credits|credit|subscription|subscriptions|services|infrastructure|llm|inference|purchases|buy|licences|licenses|kosten|uitgeven|uitgaven|onkosten|licenties|abonnement|abonnementen|aankopen|tegoed|reiskosten|advertenties|materials|materiaal|stock|domain|servers|calls';
const CHANNELS =
  'discord|slack|telegram|matrix|gitter|zulip|irc|forum|email|mail|channel|chat|thread|issue|comment|comments|discussion|discussions|here|below|ticket|teams|helpdesk|mailinglist|list|me|us|<mention>|maintainer|maintainers|team|hier|kanaal|reactie|commentaar|onderstaand|mij|ons|mailen|bellen';

export const TERM_SIGNALS = {
  evaluator: [
    `reviewed|approved|judged|verified|checked|accepted|merged|evaluated|validated|assessed|graded|signed|scored|inspected|confirmed|audited|tested|picked|chosen|decided ~1 by ~4 ${ROLES}|us|me|a|another|at|one|two|our|someone`,
    `${ROLES} ~1 will|must|should|to|shall|can|needs|has|have|reviews|approves|decides|judges|verifies|checks|signs|accepts|merges|tests|vote|votes|confirms|evaluates ~4 review|approve|judge|decide|decides|verify|check|sign|accept|merge|test|off|whether|vote|confirm|evaluate|validate|assess|pick|scores|usefulness`,
    `${ROLES} ~1 reviews|approves|decides|judges|verifies|signs|merges|scores|picks|chooses|evaluates|votes`,
    `we|i will|'ll|shall ~1 review|approve|judge|decide|verify|check|evaluate|test|validate|pick|assess|score|merge`,
    `we'll|i'll ~1 review|approve|judge|decide|verify|check|evaluate|test|validate|pick|assess|score|merge`,
    'needs|need|requires|require|required|subject|after|pending|await|awaiting|get|gets|minimum ~3 approval|approvals|signoff|review|reviews ~1 from|by|of|before',
    'approvals|approval ~2 from ~3 team|core|maintainer|maintainers|reviewer|reviewers|owner|owners|lead|two|one|us|me|<mention>',
    `approval|review|signoff|sign|sign-off ~2 from|by|of ~3 ${ROLES}|a|one|two|at`,
    'sign|signs|signed|signing off',
    `<mention> ~3 review|approve|approves|reviews|decide|decides|verify|verifies|check|checks|sign|test|tests|confirm`,
    'ci|pipeline|workflow|actions ~4 pass|passes|passing|green|gate|gates|decides|succeeds|run',
    'pass|passes|passing|green|gated ~2 ci|pipeline',
    'tests|checks|build ~3 pass|passes|green|passing in|on ~1 ci',
    '# reviewer|reviewers|evaluator|evaluation|judging|review|approval|approver|approvers|beoordeling|beoordelaar|goedkeuring|judges|assessor|qa|sign|verifier',
    'judging criteria|panel',
    'second|other pair|person|reviewer|maintainer ~2 eyes|must|reviews|approves|checks|has',
    `beoordeeld|goedgekeurd|gecontroleerd|getest|nagekeken|geaccepteerd|gereviewd|bekeken|gekeurd|geverifieerd|vastgesteld|afgetekend|akkoord ~2 door|van ~4 ${ROLES_NL}|ons|mij|een|onze|twee|ten|iemand|de|het`,
    `door ~4 ${ROLES_NL} ~4 beoordeeld|goedgekeurd|gecontroleerd|getest|nagekeken|geaccepteerd|gereviewd|bekeken`,
    `${ROLES_NL} ~3 beoordeelt|keurt|controleert|beslist|test|kijkt|tekent|geeft|moet|bepaalt|accepteert|reviewt|toetst`,
    'na|met|vereist|nodig|wacht ~3 goedkeuring|akkoord|review ~1 van|door|nodig',
    'ter goedkeuring|beoordeling|review|controle',
    'ci ~4 groen|slaagt|slagen',
    'kijkt|kijken|keurt|keuren ~4 na|goed',
    'geeft|geven|gaf ~1 akkoord|goedkeuring',
    'moet|moeten|mag ~6 goedkeuren|beoordelen|controleren|nakijken|accorderen',
    'beoordelen|beoordeelt|controleren we|wij|ik',
    'we|wij|ik beoordelen|beoordeel|controleren|controleer|testen|test|toetsen',
  ],
  reward_usd: [
    `: ${PAY} ~8 <money>`,
    `<money> ~7 ${PAY}`,
    ': bounty|reward|prize|prizes|payment|payout|budget|fee|bedrag ~12 <money>',
    '^ <money>',
    '<money> ~2 per|an hour|hr|uur|word|bug|pr|issue|week|day|dag|item|page|pagina|task|taak',
    'unpaid|onbetaald|onbezoldigd|vrijwillig|vrijwilligerswerk|pro bono',
    'unpaid|onbetaald|onbezoldigd',
    'volunteer|volunteers|voluntary|vrijwillig|vrijwilligers|vrijwilligerswerk',
    'no|without|not|geen|zonder|there ~3 bounty|reward|payment|compensation|paid|pay|beloning|vergoeding|betaling|funding|payout|honorarium',
    'pro bono',
  ],
  expires_at: [
    'deadline|deadlines',
    'due date|by|on|before|in|at|today|tomorrow|<n>|<day>|end|next|this|friday|monday',
    'expires|expire|expiry|expiration|verloopt|vervalt ~4 <n>|on|at|after|in|op|<day>|date',
    '# valid|geldig ~1 until|tot',
    '# due|expires|expiry|timeline|timeframe|planning|tijdlijn|einddatum|opleverdatum|verloopdatum|vervaldatum|duedate|eta',
    `by|before|until|till|uiterlijk|voor|vóór|tot|ends|closes|closing|due ~3 ${DAYS}`,
    'by|before|until|uiterlijk|voor|tot ~2 end|eind|einde ~1 of|van|deze|dit|volgende|next|this',
    'by|before next|this|end|volgende|komende|eind week|month|weekend|sprint|release|year|of|maand|jaar',
    'no later than',
    'uiterlijk',
    `within|binnen ~3 hour|hours|day|days|week|weeks|month|months|business|working|uur|dag|dagen|weken|maand|maanden|werkdagen|48h|24h|72h`,
    'before|by|for|voor ~3 v1|v2|v3|release|launch|conference|go|demo|meeting|livegang|lancering|vergadering|beurs|sprint|christmas|kerst|easter|summer',
    '<n> days|weeks|hours to|from|left|after ~2 complete|finish|deliver|now|assignment|claim|submit|claiming|assigned',
    'no|geen|not|zonder|without ~2 deadline|rush|hurry|haast|hurry|urgency|spoed|urgent|time',
    'whenever|take your time',
    'take your time',
    'valid|open|available|geldig|useful|bruikbaar|nuttig until|till|through|tot ~4 <n>|the|end|eind|<day>|next|december|friday|vrijdag|juni|june|march|maart',
    'may|mei <n>',
    '<n> may|mei',
  ],
  if_unclear: [
    'if|when|in|should|wherever|where|als|bij|mocht|mochten|wanneer|anything|something|still ~6 unclear|unsure|doubt|ambiguous|question|questions|stuck|uncertain|onduidelijk|onduidelijkheden|twijfel|twijfelt|vragen|onzeker|vastloopt|clear',
    `question|questions|vragen|feedback|clarification|doubts ~6 ask|contact|reach|${CHANNELS}|stel|stellen|open|post|welcome|via`,
    `^ ask|ping|contact|message|dm|mail|email|vraag|stel|mail|bel|neem ~6 ${CHANNELS}|contact|first|before|vragen|questions|if|question`,
    `ask|ping|contact|message|mail|email|reach|join|dm|vraag|stel|mail|bel ~5 ${CHANNELS}`,
    'please|feel|happy|glad|can|welcome|do|should|hesitate ~2 ask|clarify|reach|contact|discuss|ping|answer|elaborate',
    "ask ~3 before|first|rather|instead|don't|if|questions|in|on",
    'let|laat me|us|het|ons|mij|weten know|weten|me|ons',
    'use|trust your ~2 judgment|judgement|discretion',
    'you|may|can|je|mag|kunt|u|agent ~2 assume|aannemen|veronderstellen|uitgaan',
    'make|state|note|document|list|record|write|vermeld|noteer|benoem|schrijf|leg ~4 assumption|assumptions|aanname|aannames|aannamen|veronderstellingen',
    '^ assume|neem|ga ~3 that|the|aan|uit|a|it|utf|all|er|ervan|dat',
    '# questions|contact|vragen|clarifications|unclear|onduidelijk',
    '# if|als|wat|what ~4 unclear|onduidelijk|twijfel|doubt|stuck',
    'discuss|propose|raise|overleg|bespreek ~4 first|before|here|with|eerst|met|vooraf|voordat|thread|discord|slack',
    'comment|reply below|here|on|if|with ~3 questions|question|issue|unclear|first|before',
    'bij twijfel|vragen|onduidelijkheid|onduidelijkheden',
    'when|if in doubt',
    "don't|do|never|niet|niets not|guess|zelf|invullen|gokken ~2 guess|invent|assume|verzinnen",
    'stop and ask',
    'vragen ~4 stellen|kunnen|kun|mag|graag|naar|aan',
  ],
  spend_cap_usd: [
    `<money> ~8 ${COSTS}`,
    `: ${COSTS} ~7 <money>`,
    `spend|spending|cost|costs|expense|expenses|kosten|uitgaven|uitgeven ~4 limit|cap|capped|ceiling|maximum|max|budget|limiet|plafond|nothing|zero|no|niets|geen|maximaal ~5 <money>|<n>|nothing|is|niets|more|zero|of`,
    `no|zero|without|geen|nul|zonder ~3 cost|costs|spend|spending|spending|expenses|kosten|uitgaven|onkosten|purchases|aankopen`,
    `no|without|geen|avoid ~2 paid|betaalde ~2 services|service|api|apis|tools|plan|plans|diensten|api's|tool|licences|licenses|tiers`,
    "do|don't|nothing|not|never|niets|geen|niet ~3 spend|spent|buy|purchase|uitgeven|kopen|besteden",
    'free tier|tiers|plan only|of|must|is|should',
    'only|must|stay|alleen|gratis|use ~3 free tier|services|apis|diensten|tools|laag|hulpmiddelen',
    'within|binnen ~2 free|gratis tier|laag|quota',
    '# spend|spending|expenses|costs|cost|kosten|onkosten|uitgaven ~4 limit|cap|budget|<money>|none|limiet|max|maximum|geen',
  ],
} as const;
