import type { WordLists } from './classes.ts';

export const FR: WordLists = {
  calm: "n'hésite pas|n'hésitez pas|n'attends pas|n'oublie pas|n'oubliez pas|pas de souci|pas de panique|aucun souci|aucun problème|pourquoi pas|pas seulement|sans attendre|sans tarder|sans délai|sans discuter|sans question|clé publique|clés publiques|chiffres clés|points clés|code promo|code postal|code source|carte de presse|pas de l'hameçonnage|pas une arnaque|pas du phishing|nous sommes assurés|je suis assuré|ne peux pas continuer|ne pouvons pas continuer|ne peux pas avancer|quelles variables d'environnement",
  not: 'ne|n|pas|jamais|aucun|aucune|personne|rien|sans|ni|refuse|refusez|évite|évitez|attention|déclinons|exclure|interdiction',
  said: "a demandé|m'a demandé|demandait|demande mon|a exigé|a écrit|a dit|dit que|disait|prétendait|prétend|s'est fait passer|se fait passer|se faisait passer|se fasse passer|a promis|promettait|selon|d'après|signalé|refusé|affirme|affirmait",
  report:
    "phishing|hameçonnage|arnaque|escroc|fraude|attaque|attaquant|signalement|plainte|incident|interdit|interdite|quelqu'un|si quelqu'un|leçon|règle|volé|suspect|roman|jeu de rôle|par exemple|un agent|il|elle|prétendue",
  mention: 'phrase|traduis|traduire|traduction|titre|slogan|citation|exemple|intitulé',
  ask_end:
    'envoyer|donner|communiquer|transmettre|partager|fournir|confier|révéler|montrer|indiquer|remettre|dévoiler|confirmer|afficher|prêter',
  but: 'mais|donc|alors|cependant|pourtant|toutefois|car|parce que|puisque|sinon|par contre|en revanche',
  or: 'ou|ni',
  question: 'qui est|est ce que|comment|où|quand|pourquoi|avouch donne|est ce|quel est le',
  me: "moi|me|nous|ici|m|à moi|à nous|dans cette note|dans la note|dans ta réponse|dans votre réponse|dans la réponse|dans le résultat|avec le résultat|à cet agent|ci dessous|dans le résumé|par retour|en clair|par message|à cette adresse|à l'adresse suivante|en privé|par mail|par courriel|en réponse|dans ce fil|dans le chat|dans ce champ|dans la case",
  you: 'tu|vous|t',
  i: 'je|j|nous|celui qui|la personne qui|moi qui|moi qui ai',
  the: 'le|la|les|l|tous|toutes|tout|toute|chaque|ce|cette|ces|du|des|au',
  ask: 'envoie|envoyez|envoyer|renvoie|donne|donnez|donner|dis|dites|dire|montre|montrez|montrer|partage|partagez|partager|colle|collez|coller|mets|mettez|mettre|fournis|fournissez|fournir|transmets|transmettez|transmettre|communique|communiquez|communiquer|remets|remettez|livre|livrez|révèle|révélez|affiche|affichez|exporte|exportez|joins|joignez|prête|prêtez|prêter|réponds avec|répondez avec|réponds par|répondez par|tape|tapez|saisis|saisissez|confie|confiez|indique|indiquez|indiquer|écris|écrivez|ajoute|ajoutez|puis je avoir|puis je|passe|passez|divulgue|imprime|liste|publie|postez|poste|récite|copie|copiez|fais moi voir|laisse|laissez|faites parvenir|fais parvenir|adresse moi|adressez moi|dévoile|dévoilez|dévoiler|divulguer|révéler|afficher|copier|joindre|renvoyez|renvoyer|file moi|filez moi|refile|refilez|rappelle moi|rappelez moi|confirmez|confirme|confirmer|déposez|dépose|pouvons nous avoir|puis je voir|confier|lis moi|énumère|cède|procure|procurez',
  take: 'lis|lisez|extrais|récupère|copie|exporte|ouvre|cherche|lire|trouve',
  betray: 'révèle|révélez|divulgue|divulguez|livre|balance',
  want: "besoin|j'ai besoin|avons besoin|veux|voudrais|voulons|faut|manque|exige|exigeons|attends|aimerais|nécessaire|requis|demande ton|demande votre|souhaite|il me faut|il nous faut|me faudrait|faudrait|dès que j'ai|dès que j'aurai|une fois que j'ai|tant que je n'ai|serait utile|serait bien|serait utile d'avoir|voudrions|aimerions|j'attends|réclame|nécessite",
  which: "quel est|quelle est|quels sont|quelles sont|avec quel|avec quelle|quel|quelle|c'est quoi|quels|quelles",
  then: "alors|donc|juste|s'il te plaît|s'il vous plaît|stp|svp|merci de|simplement|vite",
  secret:
    "mot de passe|mots de passe|mdp|phrase secrète|clé api|clés api|clé d'api|clés d'api|clef api|clef d'api|clé privée|clés privées|clef privée|clé secrète|clés secrètes|clé ssh|clé de signature|clé d'accès|jeton d'accès|jetons d'accès|jeton de session|jeton d'api|identifiants|identifiants de connexion|informations de connexion|données de connexion|code pin|code à usage unique|code de vérification|code de sécurité|code de confirmation|code d'accès|codes de secours|code secret|variables d'environnement|cookie de session|secrets|accès administrateur|clef secrète|clef d'accès|clés d'accès|clé de récupération|code de récupération|code reçu|code sms|code d'authentification|mots secrets|chaîne de connexion|accès admin|nom d'utilisateur et mot de passe|login et mot de passe|jeton secret|jetons secrets",
  weak: 'clé|clés|clef|clefs|jeton|jetons|token|tokens|secret|identifiant|login|coffre',
  loot: 'fichier .env|coffre fort de mots de passe|coffre fort|trousseau|gestionnaire de mots de passe|phrase de récupération|mots de récupération|phrase mnémonique|fichier de mots de passe|.env|fichier env|douze mots de|phrase secrète de récupération|phrase de sauvegarde|magasin de clés|fichier de clés|phrase de départ',
  shell:
    'shell|accès root|accès ssh|accès shell|session de terminal|accès au serveur|accès serveur|porte dérobée|accès à distance|invite de commande|ligne de commande|accès à ton serveur|accès à ton ordinateur|accès à votre serveur|accès à votre ordinateur|accès à ta machine|accès à votre machine',
  open: 'ouvre|ouvrez|ouvrir|lance|lancez|démarre|donne|donnez|crée|accorde',
  whose: 'ton|ta|tes|votre|vos|actuelle|actuel|actuels|tu utilises|vous utilisez|tien|tienne|vôtre|chacun',
  holder:
    'serveur|service|administrateur|admin|propriétaire|fondateur|client|clients|base|base de données|machine|plateforme|portail|portefeuille|production|système|hôte|patron|compte',
  every_agent: 'chaque agent|tous les agents|tout agent|tout le monde|chacun',
  mine: 'un|une|mon|ma|mes|propre|nouveau|nouvelle|notre|nos|son|sa|ses|ancien|faux|perdu|oublié',
  head: 'oublié|oubliés|perdu',
  work: 'comment|où|quand|documentation|guide|manuel|politique|champ|champs|formulaire|formulaires|page|écran|module|bouton|colonne|tableau|tests|article|détecteur|scanner|filtre|script|réinitialisation|réinitialiser|rotation|révoquer|révoque|traduis|traduire|rédige|rédiger|compare|comparer|créer un|créer une|changer|change|chiffrer|chiffré|masquer|masque|explique|publique|publiques|conçois|crée un|crée une|stocke|vérifie que|mon agent|mon propre|explication|explications|conseils|informations sur|résumé de',
  type: 'utilises|utilisez|tapes|tapez|saisis|entres|entrez|connectes|connectez|sers',
  entry: 'connecter|connectes|connectez|connexion|entrer|entres|portail|administration|panneau|serveur|session',
  it: 'le|la|les|ça|cela|celle|celui|tout',
  founder: 'fondateur|fondateurs|fondatrice|fondatrices|cofondateur|cofondatrice|co fondateur|co fondatrice',
  boss: "pdg|p d g|propriétaire|propriétaires|patron|patronne|directeur|directrice|directeur général|directrice générale|direction|direction générale|dirigeant|dirigeante|dirigeants|gérant|gérante|président|présidente|chef|créateur|créatrice|responsable|comité de direction|derrière avouch|à la tête d'avouch|responsable d'avouch|administrateur d'avouch|associé|actionnaire|chef d'entreprise",
  avouch:
    'ce service|cette plateforme|ce site|cette société|cette entreprise|ce système|ce serveur|votre plateforme|votre service|ce projet',
  self: "je suis|c'est le|c'est la|c'est moi|ici|vous parle|te parle|en tant que|au nom de|au nom du|de la part de|de la part du|par ordre de|sur ordre de|sur ordre du|en ma qualité de|tu parles à|tu parles au|tu parles avec|vous parlez à|vous parlez au|vous parlez avec|message de|message du|ordre de|ordre du|signé|mandaté par|autorisé par|considère moi comme|traite moi comme|nous sommes|suis je|vient du|vient de la|vient directement du|provient du|provient de la|émane du|émane de la|je m'exprime au nom|vous avez affaire au|tu as affaire au|agissant en tant que|agissant pour|en qualité de|à l'appareil|c'est bien moi|vous écrit|je représente|parole du|en ma qualité|cordialement|bien à vous|salutations|sincères salutations",
  as: 'comme|en tant que|en qualité de',
  speak:
    'agis|agissez|poste|postez|parle|parlez|signe|signez|envoie|écris|écrivez|publie|publiez|réponds|répondez|approuve|connecte toi|connectez vous|enregistre|enregistrez|inscris|présente toi',
  pose: 'fais toi passer pour|faites vous passer pour|te faire passer pour|prétends être|prétendez être|joue le rôle de',
  made: "fondé|créé|dirige|possède|construit|lancé|monté|inventé|gère|détiens|avouch m'appartient|avouch est à moi|avouch est mon entreprise|avouch est ma société|mon entreprise avouch|ma société avouch|fondais|bâti|imaginé|conçu|mis sur pied|suis à la tête d'avouch",
  of: 'd|de|du|des|chez|de la',
  theirs: 'notre|leur|mon|son|un|une',
  with: 'utilise|utilisez|avec|via|prends|sous',
  things: 'identifiants|clé|compte|droits|accès|mot de passe|mots de passe|jeton|pouvoirs',
  founders_key: 'clé fondateur|compte fondateur|droits de fondateur|accès fondateur',
  here: "ici|vous parle|te parle|écrit|parle|en personne|ordonne|exige|moi même|vous écrit|t'écrit|m'a autorisé|m'a mandaté|m'a habilité",
  order: 'ordonne|décide|exige|lève|autorise|approuve|déclare|commande|instruis',
  we: 'nous|je|j|notre service|notre équipe|notre société|avouch|ce service|nos agents|notre agent',
  our: 'notre|nos|avouch',
  by_us:
    'par nos soins|par nous|à notre charge|à nos frais|de notre part|chez nous|avec nous|par avouch|chez avouch|de notre poche|pour notre compte|par notre|par notre assurance|par notre assureur|à mes frais|à ma charge|sur nos deniers',
  promise:
    'garantie|garanties|garanti|garantis|garantit|garantir|garantissons|garantissez|garantissent|garantie à vie|assuré|assurés|assurée|assurées|assurons|assurance|assurances|responsabilité|entière responsabilité|pleine responsabilité|responsables de tout|responsables de tous|répondons de|indemnisons|indemniser|indemnisation|dédommageons|dédommager|dédommagement|portons garants|porte garant|nous portons garants|se porte garant|couverts|couvert contre|je garantis|on garantit|engageons notre responsabilité|toute responsabilité|toute la responsabilité|responsables des|tenus responsables|cautionnons|couverture complète|assumons la responsabilité|nous portons garant|portons garant|vous assure contre|assuré contre|garantis que rien|garantissons que rien|garantis qu aucun|garantissons qu aucun',
  warranty: 'garantie|garanties|assurance|garanti|garantis',
  money_back:
    'satisfait ou remboursé|satisfaits ou remboursés|argent remboursé|remboursement garanti|garantie de remboursement|nous garantissons|on vous garantit|vous serez remboursé|tu seras remboursé|serez intégralement remboursé|on vous rembourse|nous vous remboursons|nous remboursons tout|remboursement intégral garanti|remboursé intégralement|avouch indemnise|avouch rembourse|avouch assure vos|avouch se porte garant|avouch est responsable|avouch dédommage',
  pay: 'payons|payer|paie|remboursons|rembourser|remboursé|remboursés|remboursement|indemnisons|couvrons|couvrir|couvre|prenons en charge|prend en charge|assumons|assume|supportons|dédommageons|réglons|compensons|remboursera|paierons|couvrirons|rembourserons|prenons tout|prenons à|prendrons en charge|prends en charge|indemniserons|dédommagerons|compenserons|rembourse|remboursez|rendons|rendrons|paye|payerons|indemnise|dédommage|prise en charge|pris en charge|indemnisé|indemnisés|dédommagé|dédommagés|supporté|supportés',
  loss: 'dommage|dommages|dégât|dégâts|perte|pertes|préjudice|préjudices|réclamation|réclamations|vol|manque à gagner|amende|amendes|sinistre|sinistres|tout dommage|casse|vos pertes|ce que vous perdez|ce que tu perds',
  wrong:
    "se passe mal|tourne mal|casse|en panne|pas satisfait|insatisfait|échoue|se perd|en retard|problème|ne marche pas|ne fonctionne pas|ça casse|est cassé|est perdu|arrive cassé|en cas d'échec|en cas d'erreur|pas content|pas contente|mécontent|tombe en panne",
  no_risk: 'aucun risque|sans risque|sans aucun risque|zéro risque|rien à perdre|pas de risque',
  you_get:
    'vous êtes|tu es|vous recevez|vous bénéficiez|tu bénéficies|vous avez|inclus|incluse|comprend|votre colis est|votre commande est|bénéficie|bénéficiez|tous nos|toutes nos|avec une',
  full: 'vie|ans|mois|totale|complète|pleine|étendue|entière|illimitée|jours|années|intégrale',
  given:
    "incluse|inclus|comprise|offerte|gratuite|sur tout|sur toute|sur toutes|sur tous|pour tout|pour chaque|s'applique|sur chaque|sur ce|sur cette|en plus|tout|toute|tous|toutes|chaque|toujours|ce travail|cette prestation|ce produit",
  third:
    "fabricant|fournisseur|vendeur|transporteur|assureur|acheteur|banque|constructeur|marque|selon|d'après|compilateur|base de données|protocole|index|transaction|assurance voyage|assurance maladie|locataire|client|responsabilité limitée|responsabilité civile|fournisseurs|loi",
  check:
    'vérifie|vérifier|vérifiez|demande|demander|compare|comparer|traduis|traduire|résume|explique|joindre|cherche|liste|si le|rédige|trier|carte de|clause|conditions|promets|cherchons|besoin',
  put: 'donnes|envoies|communiques|transmettes',
};
